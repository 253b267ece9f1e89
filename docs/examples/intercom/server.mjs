import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

// Sheets are for the Messenger, where customers are: in the inbox an app has cards, whose button opens this server's page.
const {
  CARDDESK_URL,
  CARDDESK_KEY,
  CARDDESK_ENVIRONMENT = 'production',
  APP_ORIGIN,
  INTERCOM_CLIENT_SECRET,
  PORT = '8080',
} = process.env
for (const [name, value] of Object.entries({ CARDDESK_URL, CARDDESK_KEY, APP_ORIGIN, INTERCOM_CLIENT_SECRET })) {
  if (!value) throw new Error(`Set ${name}`)
}
const minuteMs = 60_000
/** What a link or a page is for, by a random code. A link opens once; its page then has a code of its own. */
const links = new Map()
const pages = new Map()

function remember(codes, opened, forMs) {
  const code = randomBytes(24).toString('base64url')
  codes.set(code, opened)
  setTimeout(() => codes.delete(code), forMs).unref()
  return code
}

/** Whether Intercom sent this body: its digest with the app's client secret. */
function isFromIntercom(body, signature) {
  const expected = createHmac('sha256', INTERCOM_CLIENT_SECRET).update(body).digest()
  const given = Buffer.from(signature ?? '', 'hex')
  return given.length === expected.length && timingSafeEqual(given, expected)
}

/** Who looks at the view, and at which conversation, as Intercom signed it: in their name something can be requested. */
function ticketOf({ admin, conversation }) {
  if (!admin?.email || !conversation?.id) return {}
  const { email, name } = admin
  // In groups, as Carddesk refuses what may be a card number.
  const ticket = String(conversation.id).replaceAll(/\d{3}(?=\d)/g, '$&.')
  return { agent: { name: name || email, email }, ticket }
}

/** The card in the inbox. */
function canvasOf({ contact, customer, ...request }) {
  const { email, phone } = contact ?? customer ?? {}
  const named = email ? { email } : { phone }
  if (!email && !phone) {
    const text = 'This person has no e-mail address and no phone number.'
    return { canvas: { content: { components: [{ type: 'text', text, style: 'muted' }] } } }
  }
  const url = `${APP_ORIGIN}/view?code=${remember(links, { named, ...ticketOf(request) }, 10 * minuteMs)}`
  const button = { type: 'button', id: 'open', label: 'Open customer', style: 'primary', action: { type: 'url', url } }
  return { canvas: { content: { components: [button] } } }
}

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

const pageOf = ([[name, value]], code) => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Customer</title>
<script src="${CARDDESK_URL}/embed.js" onerror="document.body.textContent = 'Carddesk isn’t responding. Open the customer again in a few minutes.'" defer></script></head>
<body style="max-width: 720px; margin: 0 auto">
<carddesk-view environment="${CARDDESK_ENVIRONMENT}" type="customer" ${name}="${escaped(value)}"></carddesk-view>
<script type="module">
const view = document.querySelector('carddesk-view')
// Intercom does not say which language its teammate reads.
view.setAttribute('lang', navigator.language)
view.setAttribute('time-zone', Intl.DateTimeFormat().resolvedOptions().timeZone)
view.tokenProvider = async () => {
  const response = await fetch('/token', { method: 'POST', body: '${code}' })
  return response.json()
}
</script></body>
</html>`

async function readBody(request) {
  let body = ''
  for await (const chunk of request) if ((body += chunk).length > 100_000) throw new Error('The request is too long')
  return body
}

async function respond(request, response) {
  const { pathname, searchParams } = new URL(request.url, APP_ORIGIN)
  const send = (status, type, text, headers = {}) =>
    response
      .writeHead(status, { 'content-type': type, 'cache-control': 'no-store', 'referrer-policy': 'origin', ...headers })
      .end(text)
  if (request.method === 'POST' && pathname === '/initialize') {
    const body = await readBody(request)
    if (!isFromIntercom(body, request.headers['x-body-signature'])) return send(403, 'text/plain', '')
    return send(200, 'application/json', JSON.stringify(canvasOf(JSON.parse(body))))
  }
  if (request.method === 'GET' && pathname === '/view') {
    const opened = links.get(searchParams.get('code'))
    links.delete(searchParams.get('code'))
    if (!opened) return send(403, 'text/plain; charset=utf-8', 'This link has expired. Open the conversation again.')
    const code = remember(pages, opened, 8 * 60 * minuteMs)
    const page = pageOf(Object.entries(opened.named), code)
    return send(200, 'text/html; charset=utf-8', page, { 'x-frame-options': 'DENY' })
  }
  if (request.method === 'POST' && pathname === '/token' && request.headers.origin === APP_ORIGIN) {
    const opened = pages.get(await readBody(request))
    if (!opened) return send(403, 'application/json', '{}')
    const { named, agent, ticket } = opened
    const customer = { environment: CARDDESK_ENVIRONMENT, type: 'customer', ...named }
    const created = await fetch(`${CARDDESK_URL}/api/embed/tokens`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${CARDDESK_KEY}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ ...customer, agent, ticket, origin: APP_ORIGIN }),
    })
    return send(created.status, 'application/json', await created.text())
  }
  return send(404, 'text/plain', '')
}

createServer((request, response) => {
  respond(request, response).catch(() => response.writeHead(502).end())
}).listen(Number(PORT))
