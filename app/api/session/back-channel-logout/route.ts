import { backChannelLogout } from '#lib/auth/back-channel-logout.ts'

/** Receives the OpenID provider's sign-outs. There is no session here: the token's signature authenticates the sender. */
export function POST(request: Request): Promise<Response> {
  return backChannelLogout(request)
}
