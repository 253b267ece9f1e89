import { randomUUID } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { quoteLifetimeMs, type ValidatePayout } from '#lib/contract/payouts.ts'
import type { RuleIssue } from '#lib/contract/payout-rules.ts'
import type { Handlers } from '../handler.ts'
import { readPage } from '../pages.ts'
import { executePayout } from '../payouts/execute-payout.ts'
import { beneficiaryIssues, quoteIssues, refuseBrokenRules, type PayoutRequest } from '../payouts/payout-checks.ts'
import { toPayout, toQuote, type QuoteRow } from '../payouts/payout-record.ts'
import { quoteAmounts } from '../payouts/quote-amounts.ts'
import { rateAt } from '../rates.ts'
import { ServiceRefusal } from '../refusal.ts'
import { accounts, payouts, quotes } from '../tables/payouts.ts'

export const payoutHandlers = {
  validatePayout: async ({ body }, { now }) => {
    const request = requestOf(body)
    refuseBrokenRules([...aliasIssues(body), ...quoteIssues(now, request), ...beneficiaryIssues(request)])
    return { valid: true, message: 'The payout keeps every rule that is checked before it is sent.' }
  },

  quotePayout: async ({ body }, { db, now }) => {
    const issues = quoteIssues(now, body)
    refuseBrokenRules(issues)
    const [account] = await db.select().from(accounts).where(eq(accounts.id, body.accountId))
    if (!account) throw new ServiceRefusal('ACCOUNT_NOT_FOUND', 'there is no such funding account')
    if (account.currency !== body.sourceCurrency) {
      refuseBrokenRules([{ path: 'sourceCurrency', message: `must be the account's currency, ${account.currency}` }])
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
      destinationContact: contactOf(body.destination),
      source: body.source ?? null,
      createdAt: now,
      expiresAt: new Date(now.getTime() + quoteLifetimeMs),
      payoutId: null,
    }
    await db.insert(quotes).values(quote)
    return toQuote(quote)
  },

  executePayout: async ({ body }, { db, now }) => executePayout(db, now, body),

  listPayouts: async ({ query }, context) => {
    const { rows, ...tokens } = await readPage(context, {
      list: 'payouts',
      query,
      createdAt: payouts.created,
      id: payouts.id,
      read: ({ where, orderBy, limit }) =>
        context.db
          .select()
          .from(payouts)
          .where(
            and(
              query.payoutId === undefined ? undefined : eq(payouts.id, query.payoutId),
              query.accountId === undefined ? undefined : eq(payouts.accountId, query.accountId),
              query.xid === undefined ? undefined : eq(payouts.xid, query.xid),
              where,
            ),
          )
          .orderBy(...orderBy)
          .limit(limit),
      position: ({ created, id }) => ({ createdAt: created, id }),
    })
    return { payouts: rows.map(toPayout), ...tokens }
  },
} satisfies Handlers<'validatePayout' | 'quotePayout' | 'executePayout' | 'listPayouts'>

/** `amount` and `currency` are other names; a card payout goes to CN in CNY when it does not say where. */
function requestOf(body: ValidatePayout): PayoutRequest {
  const isCard = body.method === 'NETWORK_CARD'
  return {
    ...body,
    destinationCountry: body.destinationCountry ?? (isCard ? 'CN' : undefined),
    destinationCurrency: body.destinationCurrency ?? body.currency ?? (isCard ? 'CNY' : undefined),
    destinationAmount: body.destinationAmount ?? body.amount,
  }
}

const aliases = [
  ['currency', 'destinationCurrency'],
  ['amount', 'destinationAmount'],
] as const

function aliasIssues(body: ValidatePayout): RuleIssue[] {
  return aliases.flatMap(([alias, name]) => {
    const [given, named] = [body[alias], body[name]]
    if (given === undefined || named === undefined || given === named) return []
    return [{ path: alias, message: `must be the same as ${name}, whose other name it is` }]
  })
}

function contactOf(destination: { mobileNumber?: string | undefined; email?: string | undefined } | undefined) {
  const { mobileNumber, email } = destination ?? {}
  return { ...(mobileNumber === undefined ? {} : { mobileNumber }), ...(email === undefined ? {} : { email }) }
}
