import { signOut } from '#lib/auth/sign-out.ts'

/** Ends the session, from the form of every page: a document of its own, so that nothing of the page before is left. */
export function POST(request: Request): Promise<Response> {
  return signOut(request)
}
