import { randomUUID } from 'node:crypto'
import { sha256Hex } from '#lib/signing/digest.ts'
import { serviceDocument } from '../openapi.ts'
import { serviceBaseUrl } from '../service-settings.ts'
import { withServiceHeaders } from '../steps/render.ts'
import { docsPage, docsPath, postmanPath, stylePath } from './page.ts'
import { postmanCollection } from './postman.ts'

/** The page's only style sheet; light and dark by the reader's own setting. */
const style = `
:root {
  color-scheme: light dark;
  --ground: light-dark(#fbfbfa, #131416);
  --panel: light-dark(#ffffff, #1a1c1f);
  --text: light-dark(#1b1d21, #e7e8ea);
  --quiet: light-dark(#5c6068, #a2a7b0);
  --line: light-dark(#e3e4e7, #2c2f34);
  --link: light-dark(#0b5cad, #7fb7f2);
  --get: light-dark(#0a6b4b, #6fd0a8);
  --post: light-dark(#8a4b00, #f0b168);
}
* { box-sizing: border-box; }
body {
  margin: 0; display: grid; grid-template-columns: minmax(15rem, 20rem) minmax(0, 1fr);
  background: var(--ground); color: var(--text);
  font: 15px/1.55 system-ui, sans-serif;
}
a { color: var(--link); }
a:focus-visible, summary:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
.skip { position: absolute; left: -100vw; }
.skip:focus { left: 1rem; top: 1rem; background: var(--panel); padding: 0.5rem 1rem; }
nav {
  position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 1rem 1.25rem 3rem;
  border-right: 1px solid var(--line); background: var(--panel); font-size: 13px;
}
nav h2 { margin: 1.25rem 0 0.25rem; font-size: 12px; color: var(--quiet); font-weight: 600; }
nav ul { margin: 0; padding: 0; list-style: none; }
nav a { display: flex; gap: 0.5rem; align-items: baseline; padding: 0.15rem 0; color: var(--text); text-decoration: none; overflow-wrap: anywhere; }
nav a:hover { color: var(--link); }
main { padding: 2rem clamp(1rem, 4vw, 3.5rem) 6rem; max-width: 70rem; }
h1 { font-size: 1.75rem; line-height: 1.2; margin: 0 0 1rem; text-wrap: balance; }
h1 small, td small { color: var(--quiet); font-weight: 400; }
h2 { font-size: 1.25rem; margin: 3rem 0 1rem; scroll-margin-top: 1rem; }
h3 { font-size: 1rem; margin: 0 0 0.5rem; overflow-wrap: anywhere; }
h4 { font-size: 13px; margin: 1.25rem 0 0.25rem; color: var(--quiet); }
article { border: 1px solid var(--line); border-radius: 8px; background: var(--panel); padding: 1rem 1.25rem; margin: 0 0 1rem; scroll-margin-top: 1rem; }
article:target { border-color: var(--link); }
code, pre { font-family: ui-monospace, SFMono-Regular, Menlo, monospace; font-size: 0.9em; }
pre { overflow-x: auto; padding: 1rem; border: 1px solid var(--line); border-radius: 8px; background: var(--panel); }
td code { overflow-wrap: anywhere; }
table { width: 100%; border-collapse: collapse; font-size: 14px; }
th { text-align: left; font-size: 12px; color: var(--quiet); font-weight: 600; }
th, td { padding: 0.35rem 0.75rem 0.35rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
td:first-child { width: 32%; }
td:nth-child(3):last-child { color: var(--quiet); }
p, li, td { overflow-wrap: anywhere; }
.lines { white-space: pre-line; }
.note { margin: 0; color: var(--quiet); font-size: 13px; }
.method { display: inline-block; flex: none; min-width: 2.75rem; font: 600 11px/1.4 ui-monospace, monospace; }
.GET { color: var(--get); }
.POST { color: var(--post); }
details { margin-top: 1rem; }
summary { cursor: pointer; color: var(--quiet); font-size: 13px; }
@media (max-width: 800px) {
  body { display: block; }
  nav { position: static; height: auto; max-height: 45vh; border-right: 0; border-bottom: 1px solid var(--line); }
  table { display: block; overflow-x: auto; }
}
`

/** Nothing but the page's own style sheet is loaded, and no page may frame it. */
const policy = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** The documents by path. Each is made at the first request for a base address and cached until the process ends. */
const contents: Record<string, { type: string; make: (baseUrl: string) => string }> = {
  [docsPath]: {
    type: 'text/html; charset=utf-8',
    make: (baseUrl) => docsPage(serviceDocument(baseUrl)),
  },
  [stylePath]: { type: 'text/css; charset=utf-8', make: () => style },
  [postmanPath]: {
    type: 'application/json',
    make: (baseUrl) => JSON.stringify(postmanCollection(baseUrl), null, 2),
  },
}

const made = new Map<string, { text: string; etag: string }>()

/** Serves the browsable description of the built-in service, its style sheet and a Postman collection. Public. */
export async function handleDocs(request: Request): Promise<Response> {
  return withServiceHeaders(respond(request, serviceBaseUrl(process.env)), randomUUID())
}

function respond(request: Request, baseUrl: string): Response {
  const path = new URL(request.url).pathname.replace(/\/$/, '')
  const content = Object.hasOwn(contents, path) ? contents[path] : undefined
  if (!content) return new Response('There is no such page.', { status: 404 })
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return new Response(null, { status: 405, headers: { Allow: 'GET, HEAD' } })
  }
  const { text, etag } = made.get(`${path} ${baseUrl}`) ?? remember(`${path} ${baseUrl}`, content.make(baseUrl))
  const caching = { ETag: etag, 'Cache-Control': 'no-cache' }
  if (hasTag(request.headers.get('if-none-match'), etag)) return new Response(null, { status: 304, headers: caching })
  return new Response(request.method === 'HEAD' ? null : text, {
    headers: {
      ...caching,
      'Content-Type': content.type,
      'Content-Security-Policy': policy,
      'Referrer-Policy': 'no-referrer',
    },
  })
}

/** Whether `If-None-Match` names a tag, weak or not: a proxy that compresses a response weakens its tag. */
function hasTag(header: string | null, etag: string): boolean {
  return (header ?? '').split(',').some((one) => ['*', etag].includes(one.trim().replace(/^W\//, '')))
}

function remember(key: string, text: string): { text: string; etag: string } {
  const content = { text, etag: `"${sha256Hex(text).slice(0, 16)}"` }
  made.set(key, content)
  return content
}
