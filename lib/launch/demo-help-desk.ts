import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { demoHelpDeskName } from '#lib/settings/embed-origins.ts'

/** Whether a request is for the demo's help desk, which shares the server with the console and has an origin of its own. */
export function isForHelpDesk({ headers: { host = '' } }: IncomingMessage): boolean {
  return host.replace(/:\d+$/, '').toLowerCase() === demoHelpDeskName
}

/**
 * A help desk with one embedded view, as `docs/embedding.md` describes it: its page requests from its own server a token, and
 * the server creates one with its key. It serves nothing else of the console.
 */
export function demoHelpDesk(options: { consoleUrl: string; apiOrigin: string; key: string }): RequestListener {
  const { consoleUrl, apiOrigin, key } = options
  const consoleOrigin = new URL(consoleUrl).origin
  const files: Record<string, [type: string, body: string]> = {
    '/': ['text/html', renderPage(consoleOrigin)],
    '/help-desk.js': ['text/javascript', script],
    '/help-desk.css': ['text/css', styles],
  }
  const policy = `default-src 'none'; script-src 'self' ${consoleOrigin}; style-src 'self'; connect-src 'self'; frame-src ${consoleOrigin}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
  const headers = {
    'content-security-policy': policy,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  }

  async function createToken(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.headers['sec-fetch-site'] !== 'same-origin') {
      response.writeHead(403, headers).end()
      return
    }
    const object: unknown = JSON.parse(await text(request))
    const created = await fetch(`${apiOrigin}/api/embed/tokens`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...(object as object), ...signedIn, origin: `http://${request.headers.host}` }),
    })
    response.writeHead(created.status, { ...headers, 'content-type': 'application/json' }).end(await created.text())
  }

  return (request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? ''
    const file = files[path]
    if (request.method === 'POST' && path === '/token') {
      createToken(request, response).catch(() => response.writeHead(400, headers).end())
    } else if (request.method === 'GET' && file) {
      response.writeHead(200, { ...headers, 'content-type': `${file[0]}; charset=utf-8` }).end(file[1])
    } else response.writeHead(404, headers).end()
  }
}

/** Whom the help desk has signed in, and the ticket that its page shows. */
const signedIn = { agent: { name: 'Kim Lee', email: 'kim.lee@help.example.com' }, ticket: '1042' }

const renderPage = (consoleOrigin: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Demo help desk</title>
<link rel="stylesheet" href="/help-desk.css">
<script src="${consoleOrigin}/embed.js" defer></script>
<script src="/help-desk.js" defer></script>
</head>
<body>
<main>
<header><p>Demo help desk</p><h1>Ticket 1042</h1></header>
<section>
<p class="from">Customer, today</p>
<p>Hello, could you look into this for me? I’m not sure what happened.</p>
<p class="note">This page is on another origin than Carddesk. Its server creates a token with its key; the view beside it renews the token by itself.</p>
</section>
<aside aria-label="Carddesk"><carddesk-view></carddesk-view></aside>
<template><p>To see a card here, choose “Preview embedded view” on its page in <a href="${consoleOrigin}">Carddesk</a>.</p></template>
</main>
</body>
</html>
`

const script = `const search = new URLSearchParams(location.search)
const view = document.querySelector('carddesk-view')
for (const name of ['environment', 'type', 'id', 'xid', 'email', 'phone', 'theme', 'lang', 'time-zone']) {
  if (search.has(name)) view.setAttribute(name, search.get(name))
}

if (!search.has('type')) view.replaceWith(document.querySelector('template').content)

view.tokenProvider = (request) =>
  fetch('/token', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...request, cardAccountId: search.get('cardAccountId') || null }),
  })
`

const styles = `:root { color-scheme: light dark; font: 14px/1.5 system-ui, sans-serif }
body { margin: 0; background: light-dark(#eceef2, #17181c); color: light-dark(#22242a, #e6e7ea) }
main { display: grid; grid-template: auto 1fr / minmax(0, 1fr) minmax(0, 420px); gap: 16px 24px; max-width: 1100px; margin: 0 auto; padding: 24px }
header { grid-column: 1 / -1 }
h1, p { margin: 0 }
h1 { font-size: 22px }
header p, .from, .note { color: light-dark(#5b606c, #a3a7b1); font-size: 13px }
section { display: grid; gap: 8px; align-self: start; padding: 20px; border-radius: 12px; background: light-dark(#fff, #202228) }
.note { margin-top: 16px; padding-top: 16px; border-top: 1px solid light-dark(#dfe2e8, #33363e) }
aside { overflow: hidden; align-self: start; border: 1px solid light-dark(#dfe2e8, #33363e); border-radius: 12px }
aside p { padding: 20px }
@media (max-width: 800px) { main { grid-template-columns: minmax(0, 1fr); padding: 16px } }
`
