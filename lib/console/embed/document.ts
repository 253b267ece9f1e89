import 'server-only'
import { consoleSettings } from '#lib/settings/console-settings.ts'
import { type Language, languageTags } from '#lib/shared/locale.ts'
import { readLocale } from './read-locale.ts'

/**
 * The page that hosts frame: empty until its script gets a token. Nothing but its own files runs or loads in it, only the
 * allowed origins may frame it, and without one none may. Its texts are those of the language in the URL.
 */
export function embedDocument(
  request: Request,
  textsIn: (language: Language) => Readonly<Record<string, string>>,
): Response {
  const { language, timeZone } = readLocale(new URL(request.url).searchParams)
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
  const page = renderPage({
    lang: languageTags[language],
    timeZone,
    hosts: embedOrigins.join(' '),
    texts: JSON.stringify(textsIn(language)).replaceAll('<', '\\u003c'),
  })
  return new Response(page, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy.join('; '),
      'cache-control': 'no-store',
      // A host that requires these of everything can frame it, too.
      'cross-origin-embedder-policy': 'require-corp',
      'cross-origin-resource-policy': 'cross-origin',
      // This header can't name origins: the policy does, where there are any.
      ...(embedOrigins.length > 0 ? {} : { 'x-frame-options': 'DENY' }),
    },
  })
}

/** The texts are data, which the policy lets be: they are no script. */
const renderPage = (values: { lang: string; timeZone: string; hosts: string; texts: string }) => `<!doctype html>
<html lang="${values.lang}" data-time-zone="${values.timeZone}" data-hosts="${values.hosts}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Carddesk</title>
<link rel="stylesheet" href="/embed-view.css">
<script type="application/json" id="texts">${values.texts}</script>
<script type="module" src="/embed-view.js"></script>
</head>
<body>
<main id="view" aria-busy="true"></main>
<p id="news" role="status"></p>
</body>
</html>
`
