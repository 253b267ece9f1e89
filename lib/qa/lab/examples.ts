import 'server-only'
import { and, eq } from 'drizzle-orm'
import { inboxUrl } from '#lib/console/connection/inbox-url.ts'
import type { EndpointName } from '#lib/contract/endpoints.ts'
import type { Card as CardRecord } from '#lib/contract/records.ts'
import { exampleIndividual, examplePayout, exampleQuote, plainExamples } from '#lib/contract/test-values.ts'
import { database } from '#lib/db/connection.ts'
import { inBackground } from '#lib/environments/background.ts'
import { consoleSettings } from '#lib/settings/console-settings.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { indexedAccounts, indexedCards } from '#lib/tables/card-accounts.ts'
import { callIn, type Where } from './sandboxes.ts'

/** Values that fill an endpoint's form. Ids are of records that the sandbox has. */
export type Example = {
  params?: Record<string, string>
  query?: Record<string, string | readonly string[]>
  body?: Record<string, unknown>
}

/** The placeholder for a record that the sandbox does not have. */
export const noId = '00000000-0000-4000-8000-000000000000'

type Card = { cardAccountId: string; cardId: string }

/** The example request of an endpoint. For executing a payout it gets a quote, which changes nothing. */
export function makeExample(where: Where, name: EndpointName): Promise<Example> {
  return inBackground(async () => examples[name](where))
}

const examples: { [Name in EndpointName]: (where: Where) => Promise<Example> | Example } = {
  ...plainExamples,

  listCardAccounts: () => ({ query: { pageSize: '5' } }),
  getClientIdentity: async (where) => ({ query: { cardAccountId: await accountId(where) } }),
  resubmitClientIdentity: async (where) => ({
    body: {
      cardAccountId: await accountId(where, { clientIdentityStatus: 'rejected' }),
      individual: exampleIndividual,
    },
  }),
  simulateClientIdentityStatus: async (where) => ({
    body: { cardAccountId: await accountId(where, { clientIdentityStatus: 'pending' }), action: 'approve' },
  }),
  setFixedLimit: async (where) => ({
    body: { cardAccountId: await accountId(where, { accountType: 'credit' }), limit: 25000 },
  }),

  listCardAccountTransactions: async (where) => ({
    query: { cardAccountId: await accountId(where), intent: ['charge', 'refund'], pageSize: '5' },
  }),
  simulateAuthorization: async (where) => ({
    body: { ...(await cardIn(where, 'active')), amount: 12.5, currency: 'HKD' },
  }),
  simulateFullReversal: async (where) => ({ body: await findReversibleCharge(where) }),
  simulateRepay: async (where) => ({
    body: { cardAccountIds: [await accountId(where, { accountType: 'credit' })] },
  }),

  listCards: async (where) => ({
    query: { cardAccountId: (await cardIn(where, 'active')).cardAccountId, pageSize: '5' },
  }),
  issueCard: async (where) => ({
    body: {
      type: 'virtual',
      cardAccountId: await accountId(where),
      productId: await virtualProductId(where),
      embossedName: 'WONG SIU MING',
    },
  }),
  lockCard: async (where) => ({ body: await cardIn(where, 'active') }),
  unlockCard: async (where) => ({ body: await cardIn(where, 'locked') }),
  suspendCard: async (where) => ({ body: await cardIn(where, 'active') }),
  unsuspendCard: async (where) => ({ body: await cardIn(where, 'suspended') }),
  cancelCard: async (where) => ({ body: await cardIn(where, 'suspended') }),
  changeCardPin: async (where) => ({ body: { ...(await cardIn(where, 'active')), pin: '271828' } }),
  activateCard: async (where) => ({
    body: { ...(await cardIn(where, 'pending-activation')), last6: '123456', expiryMonth: 12, expiryYear: 2030 },
  }),
  getCardSensitiveInfo: async (where) => ({
    query: { ...(await cardIn(where, 'active')), ipAddress: '127.0.0.1' },
  }),

  waiveFee: async (where) => ({ body: { id: await findWaivableFeeId(where) } }),

  listAccountTransactions: async (where) => ({
    query: { accountId: await fundingAccountId(where), pageSize: '5' },
  }),
  quotePayout: async (where) => ({ body: exampleQuote(await fundingAccountId(where)) }),
  executePayout: async (where) => {
    const quote = await callIn(where, 'quotePayout', { body: exampleQuote(await fundingAccountId(where)) })
    return { body: examplePayout(quote.id ?? noId) }
  },

  setXmetadata: async (where) => ({
    body: {
      target: { type: 'cardaccount', id: await accountId(where) },
      xmetadata: { department: 'Treasury' },
    },
  }),
  createWebhook: () => ({
    body: { url: 'https://hooks.example.com/events', events: ['card.updated'], name: 'API explorer' },
  }),
  removeWebhook: async (where) => ({ body: { webhookId: await findOtherWebhookId(where) } }),
}

type AccountFacts = { clientIdentityStatus?: string; accountType?: string }

/** An account from the console's index, else one from the first page of the service. */
async function accountId(where: Where, facts: AccountFacts = {}): Promise<string> {
  const indexed = where.sandbox === null ? await findIndexedAccountId(where.environment, facts) : null
  if (indexed !== null) return indexed
  const response = await callIn(where, 'listCardAccounts', { query: { pageSize: '50' } })
  const fits = response.cardaccounts.find((account) =>
    Object.entries(facts).every(([name, value]) => account[name as keyof AccountFacts] === value),
  )
  return fits?.id ?? noId
}

async function findIndexedAccountId(environment: Environment, facts: AccountFacts): Promise<string | null> {
  const { id, clientIdentityStatus, accountType } = indexedAccounts
  const [row] = await database()
    .select({ id })
    .from(indexedAccounts)
    .where(
      and(
        eq(indexedAccounts.environment, environment),
        facts.clientIdentityStatus ? eq(clientIdentityStatus, facts.clientIdentityStatus) : undefined,
        facts.accountType ? eq(accountType, facts.accountType) : undefined,
      ),
    )
    .limit(1)
  return row?.id ?? null
}

async function cardIn(where: Where, status: string): Promise<Card> {
  const indexed = where.sandbox === null ? await findIndexedCard(where.environment, status) : null
  if (indexed) return indexed
  const card = await findCard(where, (each) => each.status === status)
  return { cardAccountId: card?.cardAccountId ?? noId, cardId: card?.id ?? noId }
}

async function findIndexedCard(environment: Environment, status: string): Promise<Card | undefined> {
  const { environment: ofEnvironment, cardAccountId, id: cardId, status: indexed } = indexedCards
  const [row] = await database()
    .select({ cardAccountId, cardId })
    .from(indexedCards)
    .where(and(eq(ofEnvironment, environment), eq(indexed, status)))
    .limit(1)
  return row
}

async function virtualProductId(where: Where): Promise<string> {
  const card = await findCard(where, ({ product }) => product?.cardType === 'virtual')
  return card?.product?.id ?? noId
}

/** Accounts whose cards are looked through. */
const accountsLookedThrough = 8

/** The first card that fits among those of the newest accounts. */
async function findCard(where: Where, fits: (card: CardRecord) => boolean): Promise<CardRecord | null> {
  const pageSize = String(accountsLookedThrough)
  const response = await callIn(where, 'listCardAccounts', { query: { pageSize } })
  for (const { id: cardAccountId } of response.cardaccounts) {
    const found = await callIn(where, 'listCards', { query: { cardAccountId } })
    const card = found.cards.find(fits)
    if (card) return card
  }
  return null
}

async function findReversibleCharge(where: Where) {
  const { cardAccountId } = await cardIn(where, 'active')
  const query = { cardAccountId, intent: 'charge', status: 'pending', pageSize: '20' } as const
  const response = await callIn(where, 'listCardAccountTransactions', { query })
  return { cardAccountId, cardTransactionId: response.transactions[0]?.id ?? noId }
}

async function findWaivableFeeId(where: Where): Promise<string> {
  const response = await callIn(where, 'listFees', { query: { pageSize: '50' } })
  return response.fees.find(({ status }) => status === 'posted')?.id ?? noId
}

async function fundingAccountId(where: Where): Promise<string> {
  const response = await callIn(where, 'listAccounts', {})
  return response.accounts.find(({ currency }) => currency === 'HKD')?.id ?? response.accounts[0]?.id ?? noId
}

/** A webhook that is not the console's own inbox, without which the console hears of no event. */
async function findOtherWebhookId(where: Where): Promise<string> {
  const own = inboxUrl(consoleSettings().consoleUrl, where.environment)
  const response = await callIn(where, 'listWebhooks', {})
  return response.webhooks.find(({ url }) => url !== null && url !== own)?.id ?? noId
}
