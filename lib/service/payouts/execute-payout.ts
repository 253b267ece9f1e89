import { eq } from 'drizzle-orm'
import type { PayoutMethod } from '#lib/contract/payout-rules.ts'
import type { ExecutePayout, Payout } from '#lib/contract/payouts.ts'
import type { Transaction } from '#lib/db/connection.ts'
import { amount } from '#lib/shared/money.ts'
import { ApiError, errorOfIssues } from '../api-error.ts'
import type { ServiceWrite } from '../clock.ts'
import { scheduleWork } from '../due-work.ts'
import { recordEvent } from '../events.ts'
import { claimXid } from '../external-ids.ts'
import { newRowId } from '../row-ids.ts'
import { payouts, quotes } from '../tables/payouts.ts'
import { type AccountRow, lockAccount, postAccountEntry } from './account-ledger.ts'
import { destinationRecord, type PayoutRow, type QuoteRow, toPayout } from './payout-record.ts'
import { executionIssues, payoutParties, quoteError } from './payout-rules.ts'
import { requested, reviewMs } from './payout-steps.ts'

/**
 * Executes a quote in the caller's transaction: quote used, funding account debited, payout requested, events recorded,
 * all or nothing. Locks the quote, then the account.
 */
export async function executePayout(change: ServiceWrite, body: ExecutePayout): Promise<Payout> {
  const { db, now } = change
  const quote = await lockUsableQuote(change, body.quoteId)
  const method = quote.method as PayoutMethod
  const issues = executionIssues(quote, body)
  if (issues.length > 0) throw errorOfIssues(issues)
  const { destination, source } = payoutParties(quote, body)
  const account = await lockFundedAccount(db, quote)

  const id = newRowId()
  const payout: PayoutRow = {
    id,
    xid: body.xid ?? null,
    xmetadata: body.xmetadata ?? null,
    created: now,
    updated: now,
    method,
    destination: destinationRecord(method, quote.destinationCountry, destination),
    source,
    purpose: body.purpose,
    sourceOfFunds: body.sourceOfFunds,
    remarks: body.remarks ?? null,
    accountId: quote.accountId,
    quoteId: quote.id,
    sourceCurrency: quote.sourceCurrency,
    destinationCurrency: quote.destinationCurrency,
    sourceAmount: quote.sourceAmount,
    destinationAmount: quote.destinationAmount,
    rate: quote.rate,
    ...requested,
  }
  if (payout.xid !== null) await claimXid(db, payout.xid, { type: 'payout', id })
  await db.insert(payouts).values(payout)
  await db.update(quotes).set({ payoutId: id }).where(eq(quotes.id, quote.id))
  const record = toPayout(payout)
  await recordEvent(change, 'payout.created', record)
  await postAccountEntry(change, account, toDebit(record, quote))
  await scheduleWork(change, { kind: 'advance-payout', subject: id, afterMs: reviewMs })
  return record
}

/** Throws `QUOTE_NOT_FOUND`, `QUOTE_ALREADY_USED` or `QUOTE_EXPIRED`, checked in this order. */
async function lockUsableQuote({ db, now }: ServiceWrite, quoteId: string): Promise<QuoteRow> {
  const [quote] = await db.select().from(quotes).where(eq(quotes.id, quoteId)).for('update')
  if (!quote) throw new ApiError('QUOTE_NOT_FOUND', 'there is no such quote')
  const error = quoteError(now, quote)
  if (error) throw error
  return quote
}

async function lockFundedAccount(db: Transaction, quote: QuoteRow): Promise<AccountRow> {
  const account = await lockAccount(db, quote.accountId)
  if (!account) throw new Error('the funding account of a quote is gone')
  if (amount(account.available).lessThan(quote.sourceAmount)) {
    throw new ApiError('INSUFFICIENT_FUNDS', `the account has less than ${amount(quote.sourceAmount)} available`)
  }
  return account
}

function toDebit({ id, destination }: Payout, quote: QuoteRow) {
  return {
    amount: amount(quote.sourceAmount).negated(),
    intent: 'payout' as const,
    intentId: id,
    intentRefId: quote.id,
    description: `Payout to ${destination.accountHolderName}`,
    counterparty: { number: destination.accountNumber, label: destination.accountHolderName },
  }
}
