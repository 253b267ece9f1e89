import { randomBytes } from 'node:crypto'
import { NextResponse, type NextRequest } from 'next/server'
import { holdsCardNumber } from '#lib/shared/card-numbers.ts'
import { contentSecurityPolicy } from '#lib/shared/content-security-policy.ts'

/**
 * Gives every page its content security policy, with a nonce that Next puts on its own scripts and styles, and takes card
 * numbers out of its search: a page repeats that. The QA lab is not found in
 * production. It guards nothing else: who may see what is decided in lib/console.
 */
export function proxy(request: NextRequest): NextResponse {
  const withCardNumbers = [...request.nextUrl.searchParams].filter((pair) => pair.some(holdsCardNumber))
  if (withCardNumbers.length > 0) {
    const url = request.nextUrl.clone()
    for (const [name] of withCardNumbers) url.searchParams.delete(name)
    return NextResponse.redirect(url)
  }
  const nonce = randomBytes(16).toString('base64')
  const policy = contentSecurityPolicy(nonce, process.env)
  const headers = new Headers(request.headers)
  headers.set('x-nonce', nonce)
  headers.set('content-security-policy', policy)
  const isNotFound = productionLab.test(request.nextUrl.pathname)
  const response = isNotFound
    ? NextResponse.rewrite(new URL('/not-found', request.url), { request: { headers } })
    : NextResponse.next({ request: { headers } })
  response.headers.set('content-security-policy', policy)
  return response
}

/** The frame of an environment that is not connected shows no page, so that none could be a 404. */
const productionLab = /^\/production\/lab(?:\/|$)/

export const config = { matcher: ['/((?!api/|embed$|sign-out$|service/|_next/static/|_next/image).*)'] }
