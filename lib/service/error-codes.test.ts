import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CardAction, cardActions, cardActionTable } from '#lib/contract/card-actions.ts'
import { type EndpointName, endpointNames, type EndpointOf, endpoints } from '#lib/contract/endpoints.ts'
import { commonErrors, type ErrorCode, errorTable, isCardErrorCode } from '#lib/contract/errors.ts'
import { type CardStatus, cardStatuses } from '#lib/contract/terms.ts'
import { servicePrefix } from './service-settings.ts'
import { fees } from './tables/fees.ts'
import { examples } from './testing-examples.ts'
import { addCard, addCardAccount } from './testing-records.ts'
import { bearer, type CallInput, openTestService, toTarget, type TestResponse, type TestService } from './testing.ts'

/**
 * How each code of a row is provoked: an input that gets it. A code without a line does not compile, and neither does a
 * line for a code that its row does not list.
 */
type Provocations = {
  [Name in EndpointName as EndpointOf<Name>['errors'][number] extends never ? never : Name]: {
    [Code in Exclude<EndpointOf<Name>['errors'][number], 'NOT_FOUND'>]: (name: EndpointName) => Promise<CallInput>
  }
}

let opened: TestService
beforeAll(async () => {
  opened = await openTestService({ seeded: 20 })
})
afterAll(() => opened.close())

/** The endpoint's example with other fields in its body. */
function altered(more: Record<string, unknown>) {
  return async (name: EndpointName): Promise<CallInput> => {
    const example = await examples[name](opened)
    return { ...example, body: { ...(example.body as object), ...more } }
  }
}

function queried(query: Record<string, string>) {
  return async (name: EndpointName): Promise<CallInput> => {
    const example = await examples[name](opened)
    return { ...example, query: { ...example.query, ...query } }
  }
}

const unknownAccount = { cardAccountId: randomUUID() }

/** A card whose status refuses an action with a code, from the table of the contract. */
function refusedBy(action: CardAction, code: ErrorCode) {
  return async (name: EndpointName): Promise<CallInput> => {
    const isRefused = (status: CardStatus) => {
      const transition = cardActionTable[action].transitions[status]
      return 'refused' in transition && transition.refused === code
    }
    const status = cardStatuses.find(isRefused)
    expect(status, `no status refuses ${action} with ${code}`).toBeDefined()
    const card = await addCard(opened.service.db, status ? { status } : {})
    const example = await examples[name](opened)
    return { body: { ...(example.body as object), ...card } }
  }
}

const foreignCard = () => altered({ cardId: randomUUID() })

/** An xid that a resource has already. */
async function takenXid(): Promise<string> {
  const xid = `taken ${randomUUID()}`
  const id = await addCardAccount(opened.service.db)
  const { status } = await opened.call('setXmetadata', { body: { target: { type: 'cardaccount', id }, xid } })
  expect(status).toBe(200)
  return xid
}

const withTakenXid = async (name: EndpointName) => altered({ xid: await takenXid() })(name)

function targeting(type: string) {
  return async (): Promise<CallInput> => ({ body: { target: { type, id: randomUUID() } } })
}

const provocations: Provocations = {
  listCardAccountTransactions: { CARD_ACCOUNT_NOT_FOUND: queried(unknownAccount) },
  createCardAccount: { XID_ALREADY_EXISTS: withTakenXid },
  getClientIdentity: { CARD_ACCOUNT_NOT_FOUND: queried(unknownAccount) },
  resubmitClientIdentity: { CARD_ACCOUNT_NOT_FOUND: altered(unknownAccount) },
  simulateClientIdentityStatus: { CARD_ACCOUNT_NOT_FOUND: altered(unknownAccount) },
  setFixedLimit: { CARD_ACCOUNT_NOT_FOUND: altered(unknownAccount) },

  listCards: { CARD_ACCOUNT_NOT_FOUND: queried(unknownAccount) },
  issueCard: { CARD_ACCOUNT_NOT_FOUND: altered(unknownAccount), XID_ALREADY_EXISTS: withTakenXid },
  lockCard: {
    CARD_ALREADY_LOCKED: refusedBy('lock', 'CARD_ALREADY_LOCKED'),
    INACTIVE_CARD: refusedBy('lock', 'INACTIVE_CARD'),
    CARD_NUMBER_MISMATCH: foreignCard(),
  },
  unlockCard: {
    ERROR_UNLOCK_CARD_STATUS_INVALID: refusedBy('unlock', 'ERROR_UNLOCK_CARD_STATUS_INVALID'),
    CARD_NUMBER_MISMATCH: foreignCard(),
  },
  suspendCard: {
    CARD_ALREADY_SUSPENDED: refusedBy('suspend', 'CARD_ALREADY_SUSPENDED'),
    INACTIVE_CARD: refusedBy('suspend', 'INACTIVE_CARD'),
    CARD_NUMBER_MISMATCH: foreignCard(),
  },
  unsuspendCard: {
    UNSUSPENDED_CARD: refusedBy('unsuspend', 'UNSUSPENDED_CARD'),
    CARD_NUMBER_MISMATCH: foreignCard(),
  },
  activateCard: {
    UNPENDING_CARD: refusedBy('activate', 'UNPENDING_CARD'),
    CARD_NUMBER_MISMATCH: altered({ last6: '000000' }),
    CARD_EXPIRY_MISMATCH: altered({ expiryYear: 2099 }),
  },
  cancelCard: { CARD_ALREADY_CANCELLED: refusedBy('cancel', 'CARD_ALREADY_CANCELLED') },
  changeCardPin: {
    INACTIVE_CARD: refusedBy('change-pin', 'INACTIVE_CARD'),
    CARD_NOT_ISSUED: refusedBy('change-pin', 'CARD_NOT_ISSUED'),
    CARD_NUMBER_MISMATCH: foreignCard(),
  },
  getCardSensitiveInfo: {
    CARD_ACCOUNT_NOT_FOUND: queried(unknownAccount),
    CARD_NUMBER_MISMATCH: queried({ cardId: randomUUID() }),
    CARD_NOT_ISSUED: async (name) => queried(await addCard(opened.service.db, { status: 'pending-issue' }))(name),
    INACTIVE_CARD: async (name) => queried(await addCard(opened.service.db, { status: 'cancelled' }))(name),
  },

  simulateAuthorization: { CARD_ACCOUNT_NOT_FOUND: altered(unknownAccount), CARD_NUMBER_MISMATCH: foreignCard() },
  simulateFullReversal: {
    CARD_ACCOUNT_NOT_FOUND: altered(unknownAccount),
    TRANSACTION_NOT_FOUND: altered({ cardTransactionId: randomUUID() }),
  },

  waiveFee: {
    INVALID_PARAMETERS: async () => {
      const [fee] = await opened.service.db.select().from(fees).where(eq(fees.status, 'void')).limit(1)
      return { body: { id: fee?.id } }
    },
    FEE_NOT_FOUND: altered({ id: randomUUID() }),
  },

  listAccountTransactions: { ACCOUNT_NOT_FOUND: queried({ accountId: randomUUID() }) },
  validatePayout: {
    INVALID_PARAMETERS: altered({ destinationCountry: 'US' }),
    NETWORK_CARD_INVALID_BANK_ACCOUNT: async () => ({
      body: { method: 'NETWORK_CARD', destination: { ...cardHolder, accountNumber: '123' } },
    }),
  },
  quotePayout: {
    INVALID_PARAMETERS: altered({ destinationAmount: 5 }),
    ACCOUNT_NOT_FOUND: altered({ accountId: randomUUID() }),
  },
  executePayout: {
    INVALID_PARAMETERS: altered({ destination: {} }),
    NETWORK_CARD_INVALID_BANK_ACCOUNT: async () =>
      execution(await quoted(cardPayout), { destination: { ...cardHolder, accountNumber: '123' } }),
    QUOTE_NOT_FOUND: altered({ quoteId: randomUUID() }),
    QUOTE_EXPIRED: async (name) => {
      const input = await examples[name](opened)
      await opened.control('POST', '/clock', { advance: 'PT61S' })
      return input
    },
    QUOTE_ALREADY_USED: async (name) => {
      const input = await examples[name](opened)
      expect((await opened.call(name, input)).status).toBe(200)
      return input
    },
    INSUFFICIENT_FUNDS: async (name) => {
      const { quoteId } = execution(await quoted({ sourceAmount: 9_000_000_000 })).body
      return altered({ quoteId })(name)
    },
    XID_ALREADY_EXISTS: withTakenXid,
  },
  listPayoutBanks: { COUNTRY_NOT_FOUND: async () => ({ params: { countryCode: 'US' } }) },
  getBank: { BANK_NOT_FOUND: queried({ wireCode: 'NOSUCHBK' }) },

  setXmetadata: {
    CARD_ACCOUNT_NOT_FOUND: targeting('cardaccount'),
    CARD_NOT_FOUND: targeting('card'),
    PAYOUT_NOT_FOUND: targeting('payout'),
    XID_ALREADY_EXISTS: withTakenXid,
  },
  removeWebhook: { WEBHOOK_NOT_FOUND: altered({ webhookId: randomUUID() }) },
  listWebhookStats: { WEBHOOK_NOT_FOUND: queried({ webhookId: randomUUID() }) },
}

const cardPayout = { method: 'NETWORK_CARD', destinationCountry: 'CN', destinationCurrency: 'CNY' }
const cardHolder = {
  firstName: 'San',
  firstNameCN: '三',
  surname: 'Zhang',
  surnameCN: '张',
  address: '88 Century Avenue, Pudong, Shanghai',
}

async function quoted(more: Record<string, unknown>): Promise<string> {
  const { status, json, text } = await opened.call('quotePayout', await altered(more)('quotePayout'))
  expect(status, text).toBe(200)
  return json.id
}

function execution(quoteId: string, more: object = {}) {
  return { body: { quoteId, destination: cardHolder, purpose: 'salary', sourceOfFunds: 'business', ...more } }
}

type Provocation = (name: EndpointName) => Promise<CallInput>

const pairs = Object.entries(provocations).flatMap(([name, codes]) =>
  Object.entries(codes).map(([code, provoke]) => ({
    name: name as EndpointName,
    code: code as ErrorCode,
    provoke: provoke as Provocation,
  })),
)

function expectCode(response: TestResponse, name: EndpointName | null, code: ErrorCode): void {
  const { status } = errorTable[code]
  expect(response.json, response.text).toMatchObject({ code, message: expect.stringMatching(/\w/) as unknown })
  expect(response.status).toBe(status)
  const isOfCards = (name !== null && 'cardErrors' in endpoints[name]) || isCardErrorCode(code)
  const isCardError = isOfCards && status === 400
  expect(Object.keys(response.json)).toEqual(isCardError ? ['statusCode', 'code', 'message'] : ['code', 'message'])
}

test.each(pairs)('$name gives $code', async ({ name, code, provoke }) => {
  expectCode(await opened.call(name, await provoke(name)), name, code)
})

test('every code that a row lists has a provocation', () => {
  const listed = endpointNames.flatMap((name) => endpoints[name].errors.map((code) => `${name} ${code}`))
  const provoked = pairs.map(({ name, code }) => `${name} ${code}`)
  expect(listed.filter((pair) => !provoked.includes(pair))).toEqual(['simulateClientIdentityStatus NOT_FOUND'])
})

test('every action of the transition table is an endpoint’s', () => {
  expect(cardActions).toHaveLength(Object.values(endpoints).filter((row) => 'cardErrors' in row).length)
})

describe('codes of every endpoint', () => {
  const json = { 'content-type': 'application/json' }
  const common: Record<(typeof commonErrors)[number] | 'NOT_FOUND', () => Promise<TestResponse>> = {
    INVALID_PARAMETERS: () => opened.send('POST', '/webhooks', { body: '{', headers: json }),
    INVALID_SIGNATURE: () =>
      opened.send('GET', '/ping', {
        headers: { authorization: `Bearer ${btoa('{"alg":"none"}')}.${btoa(`{"sub":"${opened.caller.accessKey}"}`)}.` },
      }),
    INVALID_ACCESS_KEY: () => opened.send('GET', '/ping', { headers: { authorization: '' } }),
    TOKEN_EXPIRED: async () => opened.send('GET', '/ping', { headers: { authorization: await expiredToken() } }),
    TOKEN_REPLAYED: async () => {
      const body = JSON.stringify({ cardAccountIds: [randomUUID()] })
      const authorization = await bearer(opened.caller, 'POST', `${servicePrefix}${toTarget('simulateRepay')}`, body)
      const repay = () => opened.call('simulateRepay', { body: JSON.parse(body), headers: { authorization } })
      expect((await repay()).status).toBe(200)
      return repay()
    },
    NOT_FOUND: () => opened.send('GET', '/nowhere'),
    METHOD_NOT_ALLOWED: () => opened.send('DELETE', '/ping'),
    PAYLOAD_TOO_LARGE: () => opened.send('POST', '/webhooks', { body: `"${'x'.repeat(1024 * 1024)}"`, headers: json }),
    UNSUPPORTED_MEDIA_TYPE: () =>
      opened.send('POST', '/webhooks', { body: '{}', headers: { 'content-type': 'text/plain' } }),
    RATE_LIMITED: async () => {
      const limited = await openTestService({ settings: { rateLimitPerMinute: 1 } })
      try {
        await limited.call('ping')
        // The minute may turn between two requests, not between three.
        const [first, second] = [await limited.call('ping'), await limited.call('ping')]
        return first.status === 429 ? first : second
      } finally {
        await limited.close()
      }
    },
    IDEMPOTENCY_CONFLICT: async () => {
      const headers = { 'idempotency-key': randomUUID() }
      await opened.call('simulateRepay', { body: { cardAccountIds: [randomUUID()] }, headers })
      return opened.call('simulateRepay', { body: { cardAccountIds: [randomUUID()] }, headers })
    },
  }

  async function expiredToken(): Promise<string> {
    const { SignJWT } = await import('jose')
    const { createPrivateKey } = await import('node:crypto')
    const token = await new SignJWT({ uri: '/service/v1/ping', method: 'GET', sub: opened.caller.accessKey })
      .setProtectedHeader({ alg: 'RS256' })
      .setIssuedAt(1_700_000_000)
      .setExpirationTime(1_700_000_025)
      .sign(createPrivateKey(opened.caller.privateKeyPem))
    return `Bearer ${token}`
  }

  test.each(Object.entries(common))('%s', async (code, provoke) => {
    expectCode(await provoke(), null, code as ErrorCode)
  })
})

test('every code of the error table is provoked by this suite', () => {
  const provoked = new Set<string>([...pairs.map(({ code }) => code), ...commonErrors, 'NOT_FOUND'])
  expect(Object.keys(errorTable).filter((code) => !provoked.has(code))).toEqual([])
})
