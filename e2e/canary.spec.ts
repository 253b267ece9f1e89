import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { ActionName } from '#lib/api/actions.ts'
import { everyRow } from './every-row.ts'
import { expect, test } from './fixtures.ts'
import { sendAction } from './server-actions.ts'
import { startServer } from './server.ts'
import { createServiceCaller, findCard, type ServiceCaller } from './service-caller.ts'
import { signInCookie } from './sign-in-by-cookie.ts'

/* Card numbers and a PIN are planted wherever a person can enter something. They may be found nowhere afterwards. */

const numbers = ['4929123456789015', '4929 1234 5678 9015', '4929-1234-5678-9015']
const pin = '907351'
/** Values that may be stored; finding them proves that the search works. */
const control = 'canary control 7c1f'

const forms = [/4929[\s+-]*1234[\s+-]*5678[\s+-]*9015/, new RegExp(`(?<![0-9a-f-])${pin}(?![0-9a-f-])`)]

function leaks(where: string, text: string): string[] {
  return forms.some((form) => form.test(text))
    ? [`${where}: ${forms.map((form) => form.exec(text)?.[0]).join(' ')}`]
    : []
}

test('planted card numbers and PINs are in no row, log line, response or error page', async () => {
  test.setTimeout(180_000)
  const server = await startServer({ settings: { SANDBOX_RATE_LIMIT_PER_MINUTE: '0' } })
  try {
    const cookie = await signInCookie(server.url, 'operations')
    const service = createServiceCaller(server.access)
    const responses = [
      ...(await plantInReads(server.url, cookie)),
      ...(await plantInActions(server.url, cookie, service)),
      ...(await plantInDelivery(server.url)),
    ]
    expect(responses.length).toBeGreaterThan(60)
    expect(responses.flatMap(({ where, text }) => leaks(where, text))).toEqual([])
    // What is written after the response, such as health, announcements and the request log.
    await delay(2_000)
    const rows = await everyRow(server.dataDir)
    expect(rows.filter(({ text }) => text.includes(control)).map(({ table }) => table)).toContain(
      'console.audit_entries',
    )
    expect(rows.flatMap(({ table, text }) => leaks(table, text))).toEqual([])
    expect(server.output()).toContain('Ctrl C stops it.')
    expect(leaks('log', server.output())).toEqual([])
  } finally {
    await server.stop()
  }
})

test('the search finds a number in every form that it was planted in, and a PIN', () => {
  for (const planted of [...numbers, pin, '4929+1234+5678+9015']) expect(leaks('x', `a "${planted}" b`)).toHaveLength(1)
  expect(leaks('x', `0907351, 4929123456789016, ${randomUUID()}`)).toEqual([])
})

type Response = { where: string; text: string }

/** A page repeats its own path to its scripts; what it shows and all else counts. */
async function textOf(where: string, response: globalThis.Response): Promise<Response> {
  const body = (await response.text()).replaceAll(/<script\b.*?<\/script>/gs, '')
  const headers = [...response.headers].filter(([name]) => name !== 'location').join('\n')
  return { where: `${where} ${response.status}`, text: `${headers}\n${body}` }
}

async function plantInReads(url: string, cookie: string): Promise<Response[]> {
  const lists = ['card-accounts', 'fees', 'payouts', 'audit', 'webhooks/inbox', 'banks', 'rates', 'bulk-jobs']
  const searches = ['q', 'group', 'event', 'act', 'wireCode', 'base', 'pageToken', 'sort']
  const found: Response[] = []
  for (const number of numbers) {
    const text = encodeURIComponent(number)
    const addresses = [
      ...lists.flatMap((list) => searches.slice(0, 2).map((search) => `/api/sandbox/${list}?${search}=${text}`)),
      ...lists.map((list, index) => `/api/sandbox/${list}?${searches[index]}=${text}`),
      ...['card-accounts', 'payouts', 'fees', 'audit'].map((list) => `/api/sandbox/${list}.csv?q=${text}`),
      `/api/sandbox/card-accounts/${text}`,
      `/api/${text}`,
      `/api/sandbox/operations/${text}`,
      `/sandbox/card-accounts/${text}`,
      `/sandbox/payouts/${text}`,
      `/sandbox/card-accounts?q=${text}`,
      `/sign-in?error=${text}`,
    ]
    for (const address of addresses) {
      found.push(await textOf(address.replace(text, '…'), await fetch(`${url}${address}`, { headers: { cookie } })))
    }
  }
  return found
}

async function plantInActions(url: string, cookie: string, service: ServiceCaller): Promise<Response[]> {
  const card = await findCard(service, 'active')
  const [number = ''] = numbers
  const common = () => ({ environment: 'sandbox', operationId: randomUUID() })
  const lock = { ...card, reason: 'lost-or-stolen' }
  const quote = {
    environment: 'sandbox',
    idempotencyKey: randomUUID(),
    accountId: await fundingAccount(service),
    sourceCurrency: 'HKD',
    side: 'source',
    amount: '100',
    source: { mobileNumber: '' },
  }
  const party = {
    bankCode: '',
    firstName: 'San',
    surname: 'Zhang',
    firstNameCN: '三',
    surnameCN: '张',
    address: 'Road 1',
    mobileNumber: '',
    email: '',
  }
  const inputs: [action: ActionName, input: object][] = [
    ['card.lock', { ...common(), ...lock, comment: number }],
    ['card.lock', { ...common(), ...lock, reason: number }],
    ['card.lock', { ...common(), cardAccountId: number, cardId: number, reason: 'lost-or-stolen' }],
    ['card.change-pin', { ...common(), ...card, pin }],
    ['card.change-pin', { ...common(), cardAccountId: card.cardId, cardId: card.cardId, pin }],
    ['card.activate', { ...common(), ...card, last6: number, expiryMonth: 1, expiryYear: 2030 }],
    ['card.cancel', { ...common(), ...card, reason: 'lost-or-stolen', confirmLast4: number }],
    ['fee.waive', { ...common(), feeId: randomUUID(), reason: number }],
    ['fee.waive', { ...common(), feeId: number }],
    [
      'previewLimits',
      { environment: 'sandbox', text: `cardAccountId,limit\n${number},100\n${card.cardAccountId},${number}` },
    ],
    ['account.set-limit', { ...common(), cardAccountId: card.cardAccountId, limit: number, limitBefore: 1 }],
    [
      'reference.set',
      {
        ...common(),
        targetType: 'card',
        targetId: card.cardId,
        xid: { mode: 'replace', text: number },
        xmetadata: { mode: 'replace', text: `{"pan":"${number}"}` },
        revision: '0'.repeat(64),
      },
    ],
    [
      'quotePayout',
      {
        ...quote,
        method: 'NETWORK_CARD',
        destinationCountry: 'CN',
        destinationCurrency: 'CNY',
        destination: { ...party, accountNumber: number },
      },
    ],
    [
      'quotePayout',
      {
        ...quote,
        method: 'BANK_TRANSFER',
        destinationCountry: 'PH',
        destinationCurrency: 'PHP',
        destination: { ...party, accountNumber: number },
      },
    ],
    ['testWebhook', { environment: 'sandbox', webhookId: number }],
    ['sendExplorerRequest', explored('changeCardPin', JSON.stringify({ ...card, pin }))],
    ['sendExplorerRequest', explored('lockCard', JSON.stringify({ cardAccountId: number, cardId: number, pin }))],
    ['sendExplorerRequest', explored('listPayouts', null, { xid: numbers })],
  ]
  const found: Response[] = []
  for (const [action, input] of inputs) {
    found.push({ where: action, text: await sendAction(url, cookie, action, input) })
  }
  const change = { ...common(), ...lock, reason: 'other', comment: control }
  found.push({ where: 'control', text: await sendAction(url, cookie, 'card.lock', change) })
  return found
}

function explored(endpoint: string, body: string | null, query: Record<string, string[]> = {}): object {
  const common = { environment: 'sandbox', params: {}, idempotencyKey: '', signing: 'valid', isUnchecked: true }
  return { ...common, endpoint, query, body }
}

async function fundingAccount(service: ServiceCaller): Promise<string> {
  const { accounts } = (await service.get('/accounts')).body as { accounts: { id: string; currency: string }[] }
  return accounts.find(({ currency }) => currency === 'HKD')?.id ?? ''
}

/** Without a right signature; `receive.test.ts` plants them in signed ones. */
async function plantInDelivery(url: string): Promise<Response[]> {
  const body = JSON.stringify({ id: randomUUID(), event: 'card.updated', data: { pan: numbers[0] } })
  const response = await fetch(`${url}/api/webhooks/inbox/sandbox`, { method: 'POST', body })
  return [await textOf('delivery', response)]
}
