import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'

// Serves the dashboard app, and creates the tokens of its views. It has no login: only agents may reach it.
const {
  CARDDESK_URL,
  CARDDESK_KEY,
  CARDDESK_ENVIRONMENT = 'production',
  APP_ORIGIN,
  CHATWOOT_ORIGIN,
  PORT = '8080',
} = process.env
for (const [name, value] of Object.entries({ CARDDESK_URL, CARDDESK_KEY, APP_ORIGIN, CHATWOOT_ORIGIN })) {
  if (!value) throw new Error(`Set ${name}`)
}
const page = (await readFile(new URL('index.html', import.meta.url), 'utf8'))
  .replaceAll('{carddesk}', CARDDESK_URL)
  .replaceAll('{chatwoot}', CHATWOOT_ORIGIN)

async function createToken(request) {
  let text = ''
  for await (const chunk of request) if ((text += chunk).length > 2000) throw new Error('The request is too long')
  const { email, phone } = JSON.parse(text)
  return fetch(`${CARDDESK_URL}/api/embed/tokens`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${CARDDESK_KEY}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ environment: CARDDESK_ENVIRONMENT, type: 'customer', email, phone, origin: APP_ORIGIN }),
  })
}

createServer(async (request, response) => {
  try {
    if (request.method === 'POST' && request.url === '/token' && request.headers.origin === APP_ORIGIN) {
      const created = await createToken(request)
      response.writeHead(created.status, { 'content-type': 'application/json' }).end(await created.text())
    } else if (request.method === 'GET' && request.url === '/') {
      const policy = `default-src 'self' 'unsafe-inline' ${CARDDESK_URL}; frame-ancestors ${CHATWOOT_ORIGIN}`
      response
        .writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy })
        .end(page)
    } else response.writeHead(404).end()
  } catch {
    response.writeHead(502).end()
  }
}).listen(Number(PORT))
