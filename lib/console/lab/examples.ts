import 'server-only'
import { and, eq } from 'drizzle-orm'
import type { EndpointName } from '#lib/contract/endpoints.ts'
import type { Card as CardRecord } from '#lib/contract/records.ts'
import { exampleIndividual, examplePayout, exampleQuote, plainExamples } from '#lib/contract/test-values.ts'
import { inBackground } from '#lib/db/background.ts'
import { database } from '#lib/db/connection.ts'
import { callService, requireService } from '#lib/environments/environments.ts'
import { consoleSettings } from '#lib/settings/console-settings.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { directoryAccounts, directoryCards } from '#lib/tables/directory.ts'
import { inboxUrl } from '../connection/inbox-url.ts'

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
export function exampleOf(environment: Environment, name: EndpointName): Promise<Example> {
  return inBackground(async () => examples[name](environment))
}

const examples: { [Name in EndpointName]: (environment: Environment) => Promise<Example> | Example } = {
  ...plainExamples,

  listCardAccounts: () => ({ query: { pageSize: '5' } }),
  getClientIdentity: async (environment) => ({ query: { cardAccountId: await accountId(environment) } }),
  resubmitClientIdentity: async (environment) => ({
    body: {
      cardAccountId: await accountId(environment, { clientIdentityStatus: 'rejected' }),
      individual: exampleIndividual,
    },
  }),
  simulateClientIdentityStatus: async (environment) => ({
    body: { cardAccountId: await accountId(environment, { clientIdentityStatus: 'pending' }), action: 'approve' },
  }),
  setFixedLimit: async (environment) => ({
    body: { cardAccountId: await accountId(environment, { accountType: 'credit' }), limit: 25000 },
  }),

  listCardAccountTransactions: async (environment) => ({
    query: { cardAccountId: await accountId(environment), intent: ['charge', 'refund'], pageSize: '5' },
  }),
  simulateAuthorization: async (environment) => ({
    body: { ...(await cardIn(environment, 'active')), amount: 12.5, currency: 'HKD' },
  }),
  simulateFullReversal: async (environment) => ({ body: await reversibleCharge(environment) }),
  simulateRepay: async (environment) => ({
    body: { cardAccountIds: [await accountId(environment, { accountType: 'credit' })] },
  }),

  listCards: async (environment) => ({
    query: { cardAccountId: (await cardIn(environment, 'active')).cardAccountId, pageSize: '5' },
  }),
  issueCard: async (environment) => ({
    body: {
      type: 'virtual',
      cardAccountId: await accountId(environment),
      productId: await virtualProductId(environment),
      embossedName: 'WONG SIU MING',
    },
  }),
  lockCard: async (environment) => ({ body: await cardIn(environment, 'active') }),
  unlockCard: async (environment) => ({ body: await cardIn(environment, 'locked') }),
  suspendCard: async (environment) => ({ body: await cardIn(environment, 'active') }),
  unsuspendCard: async (environment) => ({ body: await cardIn(environment, 'suspended') }),
  cancelCard: async (environment) => ({ body: await cardIn(environment, 'suspended') }),
  changeCardPin: async (environment) => ({ body: { ...(await cardIn(environment, 'active')), pin: '271828' } }),
  activateCard: async (environment) => ({
    body: { ...(await cardIn(environment, 'pending-activation')), last6: '123456', expiryMonth: 12, expiryYear: 2030 },
  }),
  getCardSensitiveInfo: async (environment) => ({
    query: { ...(await cardIn(environment, 'active')), ipAddress: '127.0.0.1' },
  }),

  waiveFee: async (environment) => ({ body: { id: await waivableFeeId(environment) } }),

  listAccountTransactions: async (environment) => ({
    query: { accountId: await fundingAccountId(environment), pageSize: '5' },
  }),
  quotePayout: async (environment) => ({ body: exampleQuote(await fundingAccountId(environment)) }),
  executePayout: async (environment) => {
    const { response } = await requireService(environment).call('quotePayout', {
      body: exampleQuote(await fundingAccountId(environment)),
    })
    return { body: examplePayout(response.id ?? noId) }
  },

  setXmetadata: async (environment) => ({
    body: {
      target: { type: 'cardaccount', id: await accountId(environment) },
      xmetadata: { department: 'Treasury' },
    },
  }),
  createWebhook: () => ({
    body: { url: 'https://hooks.example.com/events', events: ['card.updated'], name: 'API explorer' },
  }),
  removeWebhook: async (environment) => ({ body: { webhookId: await otherWebhookId(environment) } }),
}

type AccountFacts = { clientIdentityStatus?: string; accountType?: string }

/** An account from the console's mirror, else one from the first page of the service. */
async function accountId(environment: Environment, facts: AccountFacts = {}): Promise<string> {
  const { id, clientIdentityStatus, accountType } = directoryAccounts
  const [row] = await database()
    .select({ id })
    .from(directoryAccounts)
    .where(
      and(
        eq(directoryAccounts.environment, environment),
        facts.clientIdentityStatus ? eq(clientIdentityStatus, facts.clientIdentityStatus) : undefined,
        facts.accountType ? eq(accountType, facts.accountType) : undefined,
      ),
    )
    .limit(1)
  if (row) return row.id
  const { response } = await callService(environment, 'listCardAccounts', { query: { pageSize: '50' } })
  const fits = response.cardaccounts.find((account) =>
    Object.entries(facts).every(([name, value]) => account[name as keyof AccountFacts] === value),
  )
  return fits?.id ?? noId
}

async function cardIn(environment: Environment, status: string): Promise<Card> {
  const { environment: ofEnvironment, cardAccountId, id: cardId, status: mirrored } = directoryCards
  const [row] = await database()
    .select({ cardAccountId, cardId })
    .from(directoryCards)
    .where(and(eq(ofEnvironment, environment), eq(mirrored, status)))
    .limit(1)
  if (row) return row
  const card = await findCard(environment, (each) => each.status === status)
  return { cardAccountId: card?.cardAccountId ?? noId, cardId: card?.id ?? noId }
}

async function virtualProductId(environment: Environment): Promise<string> {
  const card = await findCard(environment, ({ product }) => product?.cardType === 'virtual')
  return card?.product?.id ?? noId
}

/** Accounts whose cards are looked through. */
const accountsLookedThrough = 8

/** The first card that fits among those of the newest accounts. */
async function findCard(environment: Environment, fits: (card: CardRecord) => boolean): Promise<CardRecord | null> {
  const pageSize = String(accountsLookedThrough)
  const { response } = await callService(environment, 'listCardAccounts', { query: { pageSize } })
  for (const { id: cardAccountId } of response.cardaccounts) {
    const { response: found } = await callService(environment, 'listCards', { query: { cardAccountId } })
    const card = found.cards.find(fits)
    if (card) return card
  }
  return null
}

async function reversibleCharge(environment: Environment) {
  const { cardAccountId } = await cardIn(environment, 'active')
  const query = { cardAccountId, intent: 'charge', status: 'pending', pageSize: '20' } as const
  const { response } = await callService(environment, 'listCardAccountTransactions', { query })
  return { cardAccountId, cardTransactionId: response.transactions[0]?.id ?? noId }
}

async function waivableFeeId(environment: Environment): Promise<string> {
  const { response } = await callService(environment, 'listFees', { query: { pageSize: '50' } })
  return response.fees.find(({ status }) => status === 'posted')?.id ?? noId
}

async function fundingAccountId(environment: Environment): Promise<string> {
  const { response } = await callService(environment, 'listAccounts', {})
  return response.accounts.find(({ currency }) => currency === 'HKD')?.id ?? response.accounts[0]?.id ?? noId
}

/** A webhook that is not the console's own inbox, without which the console hears of no event. */
async function otherWebhookId(environment: Environment): Promise<string> {
  const own = inboxUrl(consoleSettings().consoleUrl, environment)
  const { response } = await callService(environment, 'listWebhooks', {})
  return response.webhooks.find(({ url }) => url !== null && url !== own)?.id ?? noId
}
