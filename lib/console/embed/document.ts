import 'server-only'
import { consoleSettings } from '../desk/settings.ts'

/**
 * The page that hosts frame: empty until its script gets a token. Nothing but its own files runs or loads in it, only the
 * allowed origins may frame it, and without one none may.
 */
export function embedDocument(): Response {
  const { embedOrigins } = consoleSettings()
  const ancestors = embedOrigins.length > 0 ? embedOrigins.join(' ') : "'none'"
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${ancestors}`,
  ]
  return new Response(page.replace('{origins}', embedOrigins.join(' ')), {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy.join('; '),
      'cache-control': 'no-store',
      // This header can't name origins: the policy does, where there are any.
      ...(embedOrigins.length > 0 ? {} : { 'x-frame-options': 'DENY' }),
    },
  })
}

const page = `<!doctype html>
<html lang="en" data-hosts="{origins}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Carddesk view</title>
<link rel="stylesheet" href="/embed-view.css">
<script type="module" src="/embed-view.js"></script>
</head>
<body>
<main id="view" aria-busy="true"></main>
</body>
</html>
`
