/** Headers of every response of the console. Those of the built-in service are its own. */
export const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
  'cross-origin-opener-policy': 'same-origin',
}

/** Content security policy of the API's responses. */
export const apiPolicy = "default-src 'none'; frame-ancestors 'none'"

/** All headers of a response of the API that Next has no part in. */
export const apiHeaders = { ...securityHeaders, 'x-frame-options': 'DENY', 'content-security-policy': apiPolicy }
