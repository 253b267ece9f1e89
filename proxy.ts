import { randomBytes } from 'node:crypto'
import { NextResponse, type NextRequest } from 'next/server'
import { contentSecurityPolicy } from '#lib/shared/content-security-policy.ts'

/** Gives every page its content security policy, with a nonce that Next puts on its own scripts and styles. It guards nothing else: who may see what is decided in lib/console. */
export function proxy(request: NextRequest): NextResponse {
  const nonce = randomBytes(16).toString('base64')
  const policy = contentSecurityPolicy(nonce, process.env)
  const headers = new Headers(request.headers)
  headers.set('x-nonce', nonce)
  headers.set('content-security-policy', policy)
  const response = NextResponse.next({ request: { headers } })
  response.headers.set('content-security-policy', policy)
  return response
}

export const config = { matcher: ['/((?!api/|service/|_next/static/|_next/image).*)'] }
