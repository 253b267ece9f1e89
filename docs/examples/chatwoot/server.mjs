import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'

// Serves the dashboard app, and creates the tokens of its views. It has no login: only agents may reach it.
const {
  CARDDESK_URL,
  CARDDESK_KEY,
  CARDDESK_ENVIRONMENT = 'production',
  APP_ORIGIN,
  CHATWOOT_ORIGIN,
  CHATWOOT_ACCOUNT,
  CHATWOOT_TOKEN,
  /** The header in which a proxy with single sign-on says whom it let in. Without one, views name no agent. */
  AGENT_EMAIL_HEADER = '',
  PORT = '8080',
} = process.env
const required = { CARDDESK_URL, CARDDESK_KEY, APP_ORIGIN, CHATWOOT_ORIGIN, CHATWOOT_ACCOUNT, CHATWOOT_TOKEN }
for (const [name, value] of Object.entries(required)) if (!value) throw new Error(`Set ${name}`)
const page = (await readFile(new URL('index.html', import.meta.url), 'utf8'))
  .replaceAll('{carddesk}', CARDDESK_URL)
  .replaceAll('{chatwoot}', CHATWOOT_ORIGIN)
  .replaceAll('{environment}', CARDDESK_ENVIRONMENT)

async function readChatwoot(path) {
  const response = await fetch(`${CHATWOOT_ORIGIN}/api/v1/accounts/${CHATWOOT_ACCOUNT}/${path}`, {
    headers: { api_access_token: CHATWOOT_TOKEN },
  })
  if (!response.ok) throw new Error(`Chatwoot returned ${response.status} for ${path}`)
  return response.json()
}

/** The agent whom the proxy let in, as Chatwoot knows them. */
async function findAgent(request) {
  const signedIn = request.headers[AGENT_EMAIL_HEADER.toLowerCase()]?.toLowerCase()
  if (!signedIn) return null
  const agents = await readChatwoot('agents')
  return agents.find((agent) => agent.email.toLowerCase() === signedIn) ?? null
}

/** The page names the conversation alone: the contact is Chatwoot's, and the agent the proxy's. */
async function createToken(request) {
  let text = ''
  for await (const chunk of request) if ((text += chunk).length > 2000) throw new Error('The request is too long')
  const { conversation } = JSON.parse(text)
  if (!Number.isSafeInteger(conversation)) throw new Error('conversation must be a number')
  const [{ meta }, agent] = await Promise.all([readChatwoot(`conversations/${conversation}`), findAgent(request)])
  const { email, phone_number: phone } = meta.sender
  const customer = { environment: CARDDESK_ENVIRONMENT, type: 'customer', ...(email ? { email } : { phone }) }
  const asked = agent ? { agent: { name: agent.name, email: agent.email }, ticket: String(conversation) } : {}
  return fetch(`${CARDDESK_URL}/api/embed/tokens`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${CARDDESK_KEY}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ ...customer, ...asked, origin: APP_ORIGIN }),
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
