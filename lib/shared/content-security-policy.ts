/**
 * The policy of a page: what carries the nonce runs, nothing inline does, nothing comes from another origin. Only the
 * services' origins may be framed: a card's number is shown in a frame that the service serves.
 */
export function contentSecurityPolicy(
  nonce: string,
  environment: Readonly<Record<string, string | undefined>>,
): string {
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
