import { spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { holdsCardNumber } from '#lib/shared/card-numbers.ts'

const folder = path.resolve('docs/examples')
const read = (file: string) => readFileSync(path.join(folder, file), 'utf8')
const readJson = (file: string): unknown => JSON.parse(read(file))
const isThere = (file: string) => existsSync(path.join(folder, file))

/* What the tests read of other vendors' manifests: the assertions check it. */
type ZendeskManifest = { parameters: { name: string; type: string; secure?: boolean }[]; domainWhitelist: string[] }
type ZendeskTexts = { app: Record<string, string> & { parameters: Record<string, unknown> } }
type FreshdeskManifest = {
  product: { freshdesk: { location: { ticket_sidebar: Record<string, string> }; requests: Record<string, unknown> } }
}

/** Width and height in the header of a PNG. */
function sizeOf(file: string): [number, number] {
  const bytes = readFileSync(path.join(folder, file))
  expect(bytes.subarray(1, 4).toString()).toBe('PNG')
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
}

test('the Zendesk package has what Zendesk requires, and its texts in every language', () => {
  const manifest = readJson('zendesk/manifest.json') as ZendeskManifest
  expect(manifest).toMatchObject({
    name: 'Carddesk',
    author: { name: expect.any(String) as string, email: expect.stringContaining('@') as string },
    defaultLocale: 'en',
    private: true,
    frameworkVersion: '2.0',
    version: expect.stringMatching(/^\d+\.\d+\.\d+$/) as string,
    location: { support: { ticket_sidebar: { url: 'assets/iframe.html' } } },
  })
  expect(isThere('zendesk/assets/iframe.html')).toBe(true)
  expect(sizeOf('zendesk/assets/logo.png')).toEqual([320, 320])
  expect(sizeOf('zendesk/assets/logo-small.png')).toEqual([128, 128])
  const names = manifest.parameters.map(({ name }) => name).toSorted()
  const types = ['text', 'password', 'checkbox', 'url', 'number', 'multiline', 'hidden']
  for (const { type, secure, name } of manifest.parameters) {
    expect(types).toContain(type)
    expect(secure ?? false, name).toBe(name === 'carddesk_key')
  }
  for (const host of manifest.domainWhitelist) expect(host).toMatch(/^[\w.-]+$/)
  const files = globSync('zendesk/translations/*.json', { cwd: folder }).map((file) => path.basename(file))
  expect(files.toSorted()).toEqual(['en.json', 'zh-tw.json'])
  for (const file of files) {
    const { app } = readJson(`zendesk/translations/${file}`) as ZendeskTexts
    expect(Object.keys(app.parameters).toSorted(), file).toEqual(names)
    for (const key of ['name', 'short_description', 'long_description', 'installation_instructions']) {
      expect(app[key], `${file} ${key}`).toMatch(/\S/)
    }
  }
  const script = read('zendesk/assets/app.js')
  expect(script).toContain("'Bearer {{setting.carddesk_key}}'")
  for (const name of names) expect(script).toContain(name)
})

test('the Freshdesk app declares its request, and the request its installation parameters', () => {
  const manifest = readJson('freshdesk/manifest.json')
  expect(manifest).toMatchObject({
    'platform-version': expect.stringMatching(/^[23]\.\d$/) as string,
    engines: { node: expect.any(String) as string, fdk: expect.any(String) as string },
  })
  const { location, requests } = (manifest as FreshdeskManifest).product.freshdesk
  expect(Object.keys(location)).toEqual(['ticket_sidebar'])
  for (const file of Object.values(location.ticket_sidebar)) expect(isThere(`freshdesk/app/${file}`)).toBe(true)
  const templates = readJson('freshdesk/config/requests.json') as Record<string, unknown>
  expect(Object.keys(templates)).toEqual(Object.keys(requests))
  const parameters = readJson('freshdesk/config/iparams.json') as Record<string, { secure?: boolean }>
  const used = [...JSON.stringify(templates).matchAll(/iparam\.(\w+)/g)].map(([, name]) => name)
  expect(used.length).toBeGreaterThan(0)
  for (const name of used) expect(Object.keys(parameters)).toContain(name)
  expect(parameters.carddesk_key?.secure).toBe(true)
  const script = read('freshdesk/app/app.js')
  for (const name of Object.keys(requests)) expect(script).toContain(`invokeTemplate('${name}'`)
  expect(script).not.toContain('carddesk_key')
})

test('the Salesforce component calls an Apex method that there is, with a named credential', () => {
  const source = 'salesforce/force-app/main/default'
  expect(readJson('salesforce/sfdx-project.json')).toMatchObject({
    packageDirectories: [{ path: 'force-app', default: true }],
  })
  const script = read(`${source}/lwc/carddeskView/carddeskView.js`)
  const [, apexClass = '', method = ''] = /@salesforce\/apex\/(\w+)\.(\w+)/.exec(script) ?? []
  const apex = read(`${source}/classes/${apexClass}.cls`)
  expect(apex).toMatch(new RegExp(`@AuraEnabled\\s+public static String ${method}\\(`))
  expect(apex).toContain("'callout:Carddesk/api/embed/tokens'")
  expect(apex).toContain('with sharing')
  expect(apex).toContain('WITH USER_MODE')
  // Apex vouches for the agent and the case: neither comes from the page.
  expect(apex).toContain(
    "'agent' => new Map<String, String>{ 'name' => UserInfo.getName(), 'email' => UserInfo.getUserEmail() }",
  )
  expect(apex).toContain("'ticket' => opened.CaseNumber")
  const [, resource = ''] = /@salesforce\/resourceUrl\/(\w+)/.exec(script) ?? []
  expect(isThere(`${source}/staticresources/${resource}.resource-meta.xml`)).toBe(true)
  const metadata = read(`${source}/lwc/carddeskView/carddeskView.js-meta.xml`)
  expect(metadata).toContain('<isExposed>true</isExposed>')
  expect(metadata).toContain('<target>lightning__RecordPage</target>')
  for (const [, name] of metadata.matchAll(/<property name="(\w+)"/g)) expect(script).toContain(`@api ${name}`)
  for (const file of globSync(`${source}/{classes/*.cls,lwc/*/*.js}`, { cwd: folder })) {
    expect(isThere(`${file}-meta.xml`), file).toBe(true)
  }
})

test('every example has its steps, and none holds a key', () => {
  const examples = ['chatwoot', 'freshdesk', 'intercom', 'react', 'salesforce', 'zendesk']
  for (const name of examples) expect(read(`${name}/README.md`), name).toMatch(/^# .+\n\n\S/)
  for (const file of globSync('**/*.{js,mjs,json,html,cls,tsx}', { cwd: folder })) {
    expect(read(file), file).not.toMatch(/cde_\w{8,}/)
  }
})

const portOf = (server: Server) => (server.address() as AddressInfo).port

/** Runs the server of an example beside a Carddesk that notes the token requests. */
async function startExample(name: string, settings: Record<string, string>) {
  const received: { authorization: string | undefined; body: unknown }[] = []
  const carddesk = createServer(async (request, response) => {
    received.push({ authorization: request.headers.authorization, body: JSON.parse(await text(request)) })
    response.writeHead(201).end('{"token":"t"}')
  }).listen(0, '127.0.0.1')
  await once(carddesk, 'listening')
  const free = createServer().listen(0, '127.0.0.1')
  await once(free, 'listening')
  const port = portOf(free)
  free.close()
  const origin = `http://127.0.0.1:${port}`
  const server = spawn(process.execPath, [path.join(folder, name, 'server.mjs')], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      CARDDESK_URL: `http://127.0.0.1:${portOf(carddesk)}`,
      CARDDESK_KEY: 'key',
      APP_ORIGIN: origin,
      PORT: String(port),
      ...settings,
    },
  })
  onTestFinished(() => {
    server.kill()
    carddesk.close()
  })
  const send = (target: string, init?: RequestInit) => fetch(`${origin}${target}`, init)
  await expect
    .poll(
      () =>
        send('/nothing').then(
          ({ status }) => status,
          () => 0,
        ),
      { timeout: 10_000 },
    )
    .toBe(404)
  return { origin, send, received }
}

/** A Chatwoot of one conversation and one agent, for whoever has the token. */
async function startChatwoot(contact: { email: string | null; phone_number: string | null }): Promise<string> {
  const records: Record<string, unknown> = {
    '/api/v1/accounts/3/conversations/1042': { id: 1042, meta: { sender: contact } },
    '/api/v1/accounts/3/agents': [{ name: 'Kim Lee', email: 'Kim@help.example.com', role: 'agent' }],
  }
  const chatwoot = createServer(({ url = '', headers }, response) => {
    const record = headers.api_access_token === 'read' ? records[url] : undefined
    response.writeHead(record ? 200 : 401).end(JSON.stringify(record ?? {}))
  }).listen(0, '127.0.0.1')
  await once(chatwoot, 'listening')
  onTestFinished(() => void chatwoot.close())
  return `http://127.0.0.1:${portOf(chatwoot)}`
}

const chatwootSettings = (origin: string) => ({
  CHATWOOT_ORIGIN: origin,
  CHATWOOT_ACCOUNT: '3',
  CHATWOOT_TOKEN: 'read',
  AGENT_EMAIL_HEADER: 'X-Forwarded-Email',
})

test('the Chatwoot server creates tokens for its own page alone, for the contact of a conversation', async () => {
  const chatwoot = await startChatwoot({ email: 'olive@example.com', phone_number: '+85290368176' })
  const { origin, send, received } = await startExample('chatwoot', chatwootSettings(chatwoot))
  const page = await send('/')
  expect(page.headers.get('content-security-policy')).toContain(`frame-ancestors ${chatwoot}`)
  const html = await page.text()
  expect(html).toContain(`'chatwoot-dashboard-app:fetch-info', '${chatwoot}'`)
  expect(html).not.toMatch(/\{\w+\}'/)
  const ask = (body: object, headers: Record<string, string>) =>
    send('/token', { method: 'POST', body: JSON.stringify(body), headers })
  const claims = { email: 'other@example.com', agent: { name: 'Eve', email: 'eve@example.com' }, ticket: '1' }
  const named = { ...claims, conversation: 1042 }
  expect((await ask(named, { origin: 'https://other.example' })).status).toBe(404)
  expect((await ask(named, { origin })).status).toBe(201)
  for (const conversation of [7, '1042/../../agents', undefined]) {
    expect((await ask({ ...claims, conversation }, { origin })).status, String(conversation)).toBe(502)
  }
  const created = { environment: 'production', type: 'customer', email: 'olive@example.com', origin }
  expect(received).toEqual([{ authorization: 'Bearer key', body: created }])
})

test('the Chatwoot server names the agent whom the proxy let in and Chatwoot knows, and nobody else', async () => {
  const chatwoot = await startChatwoot({ email: null, phone_number: '+85290368176' })
  const { origin, send, received } = await startExample('chatwoot', chatwootSettings(chatwoot))
  for (const email of ['kim@help.example.com', 'eve@help.example.com']) {
    const headers = { origin, 'x-forwarded-email': email }
    const body = JSON.stringify({ conversation: 1042 })
    expect((await send('/token', { method: 'POST', body, headers })).status).toBe(201)
  }
  const customer = { environment: 'production', type: 'customer', phone: '+85290368176', origin }
  const asked = { agent: { name: 'Kim Lee', email: 'Kim@help.example.com' }, ticket: '1042' }
  expect(received.map(({ body }) => body)).toEqual([{ ...customer, ...asked }, customer])
  const { AGENT_EMAIL_HEADER: _, ...settings } = chatwootSettings(chatwoot)
  const open = await startExample('chatwoot', settings)
  const headers = { origin: open.origin, 'x-forwarded-email': 'kim@help.example.com' }
  await open.send('/token', { method: 'POST', body: JSON.stringify({ conversation: 1042 }), headers })
  expect(open.received.map(({ body }) => body)).toEqual([{ ...customer, origin: open.origin }])
})

const intercomSecret = 'secret'

/** What Intercom sends when a teammate opens a conversation, signed. */
function intercomRequest(email: string, conversation: string, secret = intercomSecret): RequestInit {
  const admin = { type: 'admin', name: 'Kim Lee', email: 'kim@help.example.com' }
  const body = JSON.stringify({ contact: { email }, admin, conversation: { id: conversation } })
  const signature = createHmac('sha256', secret).update(body).digest('hex')
  return { method: 'POST', body, headers: { 'x-body-signature': signature } }
}

/** The link of the button that a teammate sees beside a conversation. */
async function intercomLink({ origin, send }: Awaited<ReturnType<typeof startExample>>, asked: RequestInit) {
  const { canvas } = (await (await send('/initialize', asked)).json()) as {
    canvas: { content: { components: [{ type: string; action: { type: string; url: string } }] } }
  }
  const [{ type, action }] = canvas.content.components
  expect([type, action.type]).toEqual(['button', 'url'])
  return action.url.slice(origin.length)
}

test('the Intercom server answers Intercom alone, and its links open once', async () => {
  const server = await startExample('intercom', { INTERCOM_CLIENT_SECRET: intercomSecret })
  const { origin, send, received } = server
  const asked = intercomRequest('olive@example.com', '17')
  expect((await send('/initialize', intercomRequest('olive@example.com', '17', 'other'))).status).toBe(403)
  expect((await send('/initialize', { ...asked, headers: {} })).status).toBe(403)
  const link = await intercomLink(server, asked)
  expect(link).not.toContain('olive')
  expect((await send(link)).status).toBe(200)
  expect((await send(link)).status).toBe(403)
  const [, code = ''] = /code=(.+)/.exec(link) ?? []
  for (const body of ['', code]) {
    expect((await send('/token', { method: 'POST', body, headers: { origin } })).status, body).toBe(403)
  }
  expect(received).toEqual([])
})

test('each page of the Intercom server renews the token of its own customer', async () => {
  const server = await startExample('intercom', { INTERCOM_CLIENT_SECRET: intercomSecret })
  const { origin, send, received } = server
  // As long as a card number, and with a right check digit.
  const [conversation, ticket] = ['215470000000006', '215.470.000.000.006']
  expect(holdsCardNumber(conversation)).toBe(true)
  expect(holdsCardNumber(ticket)).toBe(false)
  const codes: string[] = []
  for (const asked of [intercomRequest('olive@example.com', conversation), intercomRequest('kit@example.com', '2')]) {
    const page = await (await send(await intercomLink(server, asked))).text()
    codes.push(/fetch\('\/token', \{ method: 'POST', body: '([\w-]+)' \}\)/.exec(page)?.[1] ?? '')
  }
  const [first, second] = codes
  for (const body of [first, second, first]) {
    expect((await send('/token', { method: 'POST', body, headers: { origin: 'https://other.example' } })).status).toBe(
      404,
    )
    expect((await send('/token', { method: 'POST', body, headers: { origin } })).status).toBe(201)
  }
  const agent = { name: 'Kim Lee', email: 'kim@help.example.com' }
  const customer = { environment: 'production', type: 'customer', agent, origin }
  const olive = { authorization: 'Bearer key', body: { ...customer, email: 'olive@example.com', ticket } }
  const kit = { authorization: 'Bearer key', body: { ...customer, email: 'kit@example.com', ticket: '2' } }
  expect(received).toEqual([olive, kit, olive])
})
