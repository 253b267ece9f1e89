import { createHash, randomUUID } from 'node:crypto'
import type { Connection } from '#lib/shared/connections.ts'
import { serviceDocument } from '../openapi.ts'
import { describedService, type DescribedService } from '../settings.ts'
import { withServiceHeaders } from '../steps/render.ts'
import { docsPage, docsPath, stylePath } from './page.ts'
import { style } from './style.ts'

/** Nothing but the page's own style sheet is loaded, and no page may frame it. */
const policy = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** What is served, by path: made at the first request of a service's base address, the same until the process ends. */
const contents: Record<string, { type: string; make: (described: DescribedService) => string }> = {
  [docsPath]: {
    type: 'text/html; charset=utf-8',
    make: (described) => docsPage(serviceDocument(described), described.isBuiltIn),
  },
  [stylePath]: { type: 'text/css; charset=utf-8', make: () => style },
}

const made = new Map<string, { text: string; etag: string }>()

/** Serves the browsable description of the service and its style sheet. Public. */
export async function handleDocs(
  request: Request,
  _connection?: Connection,
  described = describedService(process.env),
): Promise<Response> {
  return withServiceHeaders(respond(request, described), randomUUID())
}

function respond(request: Request, described: DescribedService): Response {
  const path = new URL(request.url).pathname.replace(/\/$/, '')
  const content = Object.hasOwn(contents, path) ? contents[path] : undefined
  if (!content) return new Response('There is no such page.', { status: 404 })
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return new Response(null, { status: 405, headers: { Allow: 'GET, HEAD' } })
  }
  const { text, etag } =
    made.get(`${path} ${described.baseUrl}`) ?? remember(`${path} ${described.baseUrl}`, content.make(described))
  const caching = { ETag: etag, 'Cache-Control': 'no-cache' }
  if (request.headers.get('if-none-match') === etag) return new Response(null, { status: 304, headers: caching })
  return new Response(request.method === 'HEAD' ? null : text, {
    headers: {
      ...caching,
      'Content-Type': content.type,
      'Content-Security-Policy': policy,
      'Referrer-Policy': 'no-referrer',
    },
  })
}

function remember(key: string, text: string): { text: string; etag: string } {
  const content = { text, etag: `"${createHash('sha256').update(text).digest('hex').slice(0, 16)}"` }
  made.set(key, content)
  return content
}
