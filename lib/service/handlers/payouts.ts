import { randomUUID } from 'node:crypto'
import { asc, eq, gte, lte } from 'drizzle-orm'
import type { ParsedRequest } from '#lib/contract/endpoints.ts'
import { quoteLifetimeMs } from '#lib/contract/payouts.ts'
import { ApiError, errorOfIssues } from '../api-error.ts'
import type { Handlers } from '../handler.ts'
import { defineList } from '../lists.ts'
import { toAccount, toAccountTransaction } from '../payouts/account-ledger.ts'
import { listBanksIn, findBankInfo } from '../payouts/banks.ts'
import { executePayout } from '../payouts/execute-payout.ts'
import { type PayoutRow, type QuoteRow, toPayout, toQuote } from '../payouts/payout-record.ts'
import { accountCurrencyIssue } from '../payouts/payout-rules.ts'
import { quoteAmounts } from '../payouts/quote-amounts.ts'
import { rateAt } from '../rates.ts'
import { accounts, accountTransactions, payouts, quotes } from '../tables/payouts.ts'

export const payoutList = defineList<ParsedRequest<'listPayouts'>['query'], PayoutRow>({
  name: 'payouts',
  select: (db) => db.select().from(payouts),
  createdAt: payouts.created,
  id: payouts.id,
  position: ({ created, id }) => ({ createdAt: created, id }),
  filters: {
    payoutId: (value) => eq(payouts.id, value),
    accountId: (value) => eq(payouts.accountId, value),
    xid: (value) => eq(payouts.xid, value),
  },
})

export const payoutHandlers = {
  /** Its rules run before it: `service/payouts/payout-rules.ts`. */
  validatePayout: async () => ({
    valid: true,
    message: 'The payout keeps every rule that is checked before it is sent.',
  }),

  quotePayout: async ({ body }, { db, now }) => {
    const [account] = await db.select().from(accounts).where(eq(accounts.id, body.accountId))
    if (!account) throw new ApiError('ACCOUNT_NOT_FOUND', 'there is no such funding account')
    if (account.currency !== body.sourceCurrency) {
      throw errorOfIssues([accountCurrencyIssue(account)])
    }
    const { sourceCurrency, destinationCurrency } = body
    const rate = rateAt(now, sourceCurrency, destinationCurrency)
    const given =
      body.sourceAmount === undefined
        ? { destinationAmount: body.destinationAmount ?? 0 }
        : { sourceAmount: body.sourceAmount }
    const amounts = quoteAmounts({ rate, sourceCurrency, destinationCurrency, ...given })
    const quote: QuoteRow = {
      id: randomUUID(),
      method: body.method,
      accountId: account.id,
      sourceAmount: amounts.sourceAmount.toString(),
      sourceCurrency,
      destinationCountry: body.destinationCountry,
      destinationCurrency,
      destinationAmount: amounts.destinationAmount.toString(),
      rate: rate.toString(),
      destinationContact: toContact(body.destination),
      source: body.source ?? null,
      createdAt: now,
      expiresAt: new Date(now.getTime() + quoteLifetimeMs),
      payoutId: null,
    }
    await db.insert(quotes).values(quote)
    return toQuote(quote)
  },

  executePayout: async ({ body }, change) => executePayout(change, body),

  listPayouts: async ({ query }, context) => {
    const { rows, ...tokens } = await payoutList.read(context, query)
    return { payouts: rows.map(toPayout), ...tokens }
  },
} satisfies Partial<Handlers>

function toContact(destination: { mobileNumber?: string | undefined; email?: string | undefined } | undefined) {
  const { mobileNumber, email } = destination ?? {}
  return { ...(mobileNumber === undefined ? {} : { mobileNumber }), ...(email === undefined ? {} : { email }) }
}

type TransactionRow = typeof accountTransactions.$inferSelect

export const accountTransactionList = defineList<ParsedRequest<'listAccountTransactions'>['query'], TransactionRow>({
  name: 'accounts/transactions',
  select: (db) => db.select().from(accountTransactions),
  createdAt: accountTransactions.time,
  id: accountTransactions.id,
  position: ({ id, time }) => ({ id, createdAt: time }),
  filters: {
    accountId: (value) => eq(accountTransactions.accountId, value),
    intent: (value) => eq(accountTransactions.intent, value),
    status: (value) => eq(accountTransactions.status, value),
    dateRangeFrom: (value) => gte(accountTransactions.time, value),
    dateRangeTo: (value) => lte(accountTransactions.time, value),
  },
})

export const accountHandlers = {
  listAccounts: async (_request, { db }) => {
    const rows = await db.select().from(accounts).orderBy(asc(accounts.name), asc(accounts.id))
    return { accounts: rows.map(toAccount) }
  },

  listAccountTransactions: async ({ query }, context) => {
    const { db } = context
    const { accountId } = query
    if (accountId !== undefined) {
      const found = await db.select({ id: accounts.id }).from(accounts).where(eq(accounts.id, accountId))
      if (found.length === 0) throw new ApiError('ACCOUNT_NOT_FOUND', 'there is no such funding account')
    }
    const { rows, ...tokens } = await accountTransactionList.read(context, query)
    return { transactions: rows.map(toAccountTransaction), ...tokens }
  },
} satisfies Partial<Handlers>

export const bankHandlers = {
  getBank: async ({ query }) => {
    const bank = findBankInfo(query.wireCode)
    if (!bank) throw new ApiError('BANK_NOT_FOUND', 'there is no bank with this wire code')
    return bank
  },

  listPayoutBanks: async ({ params }) => {
    const banks = listBanksIn(params.countryCode)
    if (!banks) throw new ApiError('COUNTRY_NOT_FOUND', `payouts to ${params.countryCode} are not supported`)
    return { banks: banks.map(({ code, name }) => ({ code, name })) }
  },
} satisfies Partial<Handlers>
