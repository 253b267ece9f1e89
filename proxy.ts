import { randomBytes } from 'node:crypto'
import { NextResponse, type NextRequest } from 'next/server'
import { holdsCardNumber, isCardNumberTyped } from '#lib/shared/card-numbers.ts'

/**
 * Gives every page its content security policy, with a nonce that Next puts on its own scripts and styles, and takes card
 * numbers out of its search: a page repeats that. The QA lab is not found in
 * production. It guards nothing else: who may see what is decided in lib/gate.
 */
export function proxy(request: NextRequest): NextResponse {
  const withCardNumbers = [...request.nextUrl.searchParams].filter(
    ([name, text]) => holdsCardNumber(name) || isCardNumberTyped(name, text),
  )
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

/**
 * The policy of a page: what carries the nonce runs, nothing inline does, nothing comes from another origin. Only the
 * services' origins may be framed: a card's number is shown in a frame that the service serves.
 */
function contentSecurityPolicy(nonce: string, environment: Readonly<Record<string, string | undefined>>): string {
  const isDevelopment = environment.NODE_ENV === 'development'
  const isSecure = environment.NEXTAUTH_URL?.startsWith('https:') ?? false
  const builtIn = environment.BUILT_IN_SERVICE === 'on' ? environment.BUILT_IN_SERVICE_ORIGIN : undefined
  const frames = [environment.SERVICE_SANDBOX_URL, environment.SERVICE_PRODUCTION_URL, builtIn].flatMap(toOrigins)
  const directives: Record<string, string[]> = {
    'default-src': ["'self'"],
    // React's development build rebuilds stacks with eval; the production build has no use for it.
    'script-src': ["'self'", `'nonce-${nonce}'`, "'strict-dynamic'", ...(isDevelopment ? ["'unsafe-eval'"] : [])],
    // The development server's styles come without the nonce.
    'style-src': isDevelopment ? ["'self'", "'unsafe-inline'"] : ["'self'", `'nonce-${nonce}'`],
    'img-src': ["'self'", 'data:', 'blob:'],
    'font-src': ["'self'"],
    'connect-src': ["'self'"],
    'frame-src': frames.length > 0 ? [...new Set(frames)] : ["'none'"],
    'object-src': ["'none'"],
    'base-uri': ["'none'"],
    'form-action': ["'self'", ...toOrigins(environment.OIDC_ISSUER)],
    'frame-ancestors': ["'none'"],
    ...(isSecure ? { 'upgrade-insecure-requests': [] } : {}),
  }
  return Object.entries(directives)
    .map(([name, sources]) => [name, ...sources].join(' '))
    .join('; ')
}

function toOrigins(address: string | undefined): string[] {
  return address && URL.canParse(address) ? [new URL(address).origin] : []
}
