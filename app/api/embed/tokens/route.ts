import { respondToTokenRequest } from '#lib/console/embed/create-token.ts'

/** A help desk's server creates tokens with its key. */
export function POST(request: Request): Promise<Response> {
  return respondToTokenRequest(request)
}
