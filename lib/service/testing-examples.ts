import { and, eq, ne, sql } from 'drizzle-orm'
import type { EndpointName } from '#lib/contract/endpoints.ts'
import { exampleIndividual, examplePayout, exampleQuote, plainExamples } from '#lib/contract/test-values.ts'
import { openCardNumber } from './card-number.ts'
import { cardAccounts } from './tables/card-accounts.ts'
import { cards, products } from './tables/cards.ts'
import { fees } from './tables/fees.ts'
import { accounts } from './tables/payouts.ts'
import { cardAccountTransactions } from './tables/transactions.ts'
import { webhooks } from './tables/webhooks.ts'
import { addCard, addCardAccount } from './testing-records.ts'
import { testCardNumberKey, type CallInput, type TestService } from './testing.ts'

type Example = (opened: TestService) => Promise<CallInput> | CallInput

/**
 * A request of every endpoint that succeeds on a seeded service, made for it when it is asked for. The suites that walk
 * the endpoint table start from here, so a new row needs a line.
 */
export const examples: { [Name in EndpointName]: Example } = {
  ...plainExamples,

  listCardAccounts: async (opened) => ({ query: { cardAccountId: await someCardAccount(opened), pageSize: '5' } }),
  getClientIdentity: async (opened) => ({ query: { cardAccountId: await someCardAccount(opened) } }),
  resubmitClientIdentity: async ({ service: { db } }) => ({
    body: {
      cardAccountId: await addCardAccount(db, { clientIdentityStatus: 'rejected' }),
      individual: exampleIndividual,
    },
  }),
  simulateClientIdentityStatus: async (opened) => ({
    body: { cardAccountId: await someCardAccount(opened), action: 'reject' },
  }),
  setFixedLimit: async ({ service: { db } }) => ({ body: { cardAccountId: await addCardAccount(db), limit: 12345.5 } }),

  listCardAccountTransactions: async (opened) => ({
    query: { cardAccountId: (await someCharge(opened)).cardAccountId, intent: ['charge', 'refund'], pageSize: '3' },
  }),
  simulateAuthorization: async ({ service: { db } }) => ({
    body: { ...(await addCard(db)), amount: 120.5, currency: 'USD', opts: { countryCode: 344, purchaseAmount: 120.5 } },
  }),
  simulateFullReversal: async (opened) => {
    const { cardAccountId, id } = await someCharge(opened)
    return { body: { cardAccountId, cardTransactionId: id } }
  },
  simulateRepay: async ({ service: { db } }) => ({
    body: { cardAccountIds: [await addCardAccount(db, { balance: '-250.75', openingBalance: '-250.75' })] },
  }),

  listCards: async ({ service: { db } }) => ({ query: { cardAccountId: (await addCard(db)).cardAccountId } }),
  issueCard: async ({ service: { db } }) => {
    const [product] = await db.select().from(products).where(eq(products.cardType, 'virtual'))
    return {
      body: {
        type: 'virtual',
        cardAccountId: await addCardAccount(db),
        productId: product?.id,
        embossedName: 'WONG SIU MING',
      },
    }
  },
  lockCard: async ({ service: { db } }) => ({ body: await addCard(db) }),
  unlockCard: async ({ service: { db } }) => ({ body: await addCard(db, { status: 'locked' }) }),
  suspendCard: async ({ service: { db } }) => ({ body: await addCard(db) }),
  unsuspendCard: async ({ service: { db } }) => ({ body: await addCard(db, { status: 'suspended' }) }),
  cancelCard: async ({ service: { db } }) => ({ body: await addCard(db) }),
  changeCardPin: async ({ service: { db } }) => ({ body: { ...(await addCard(db)), pin: '271828' } }),
  activateCard: async ({ service: { db } }) => {
    const { cardAccountId, cardId } = await addCard(db, { status: 'pending-activation' })
    const [card] = await db.select().from(cards).where(eq(cards.id, cardId))
    const last6 = card ? openCardNumber(card.sealedNumber, cardId, testCardNumberKey).slice(-6) : ''
    return { body: { cardAccountId, cardId, last6, expiryMonth: card?.expiryMonth, expiryYear: card?.expiryYear } }
  },
  getCardSensitiveInfo: async ({ service: { db } }) => ({
    query: { ...(await addCard(db)), ipAddress: '203.0.113.7' },
  }),

  waiveFee: async ({ service: { db } }) => {
    const [fee] = await db.select().from(fees).where(ne(fees.status, 'void')).limit(1)
    return { body: { id: fee?.id } }
  },

  listAccountTransactions: async (opened) => ({ query: { accountId: await fundingAccount(opened), pageSize: '4' } }),
  quotePayout: async (opened) => ({ body: exampleQuote(await fundingAccount(opened)) }),
  executePayout: async (opened) => {
    const quote = await opened.call('quotePayout', { body: exampleQuote(await fundingAccount(opened)) })
    return { body: examplePayout(quote.json.id) }
  },

  setXmetadata: async (opened) => ({
    body: {
      target: { type: 'cardaccount', id: await someCardAccount(opened) },
      xid: 'walked',
      xmetadata: { department: 'Treasury' },
    },
  }),
  createWebhook: () => ({ body: { url: 'https://hooks.example.com/events', events: ['*'], name: 'Receiver' } }),
  removeWebhook: async ({ service: { db } }) => {
    const [webhook] = await db.select().from(webhooks).where(ne(webhooks.status, 'removed')).limit(1)
    return { body: { webhookId: webhook?.id } }
  },
  listWebhookStats: async ({ service: { db } }) => {
    const [webhook] = await db.select().from(webhooks).limit(1)
    return { query: { webhookId: webhook?.id ?? '' } }
  },
}

async function someCardAccount({ service: { db } }: TestService): Promise<string> {
  const [account] = await db.select({ id: cardAccounts.id }).from(cardAccounts).limit(1)
  return account?.id ?? ''
}

async function fundingAccount({ service: { db } }: TestService): Promise<string> {
  const [account] = await db.select().from(accounts).where(eq(accounts.currency, 'HKD'))
  return account?.id ?? ''
}

async function someCharge({ service: { db } }: TestService): Promise<{ id: string; cardAccountId: string }> {
  const { id, cardAccountId, intent, status, reversedAt } = cardAccountTransactions
  const [charge] = await db
    .select({ id, cardAccountId })
    .from(cardAccountTransactions)
    .where(and(eq(intent, 'charge'), eq(status, 'pending'), sql`${reversedAt} is null`))
    .limit(1)
  return charge ?? { id: '', cardAccountId: '' }
}
