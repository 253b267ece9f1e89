/** Headers of every response of the console. Those of the built-in service are its own. */
export const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
  'cross-origin-opener-policy': 'same-origin',
}

/** Of each response of the API, on top of them. */
export const apiPolicy = "default-src 'none'; frame-ancestors 'none'"

/** Of a response of the API that Next has no part in. */
export const apiHeaders = { ...securityHeaders, 'x-frame-options': 'DENY', 'content-security-policy': apiPolicy }
