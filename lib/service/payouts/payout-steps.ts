import { eq } from 'drizzle-orm'
import { payoutEndings, type PayoutEnd } from '#lib/contract/test-values.ts'
import { amount } from '#lib/shared/money.ts'
import { minuteMs } from '#lib/shared/time.ts'
import type { ServiceWrite } from '../clock.ts'
import { scheduleWork, type Performer } from '../due-work.ts'
import { recordEvent } from '../events.ts'
import { payouts } from '../tables/payouts.ts'
import { lockAccount, postAccountEntry } from './account-ledger.ts'
import { toPayout, type PayoutRow } from './payout-record.ts'

/** How long the review takes, and how long the bank, in sandbox time. */
export const reviewMs = 2 * minuteMs
const bankMs = 10 * minuteMs

export function payoutEnd(accountNumber: string): PayoutEnd {
  const ending = accountNumber.slice(-4)
  return Object.hasOwn(payoutEndings, ending) ? (payoutEndings[ending] ?? 'completed') : 'completed'
}

export type Step = Pick<PayoutRow, 'status' | 'subStatus' | 'cancellationReason'>

export const steps = {
  processing: { status: 'processing', subStatus: 'ORDER_SENT_TO_BANK', cancellationReason: null },
  completed: { status: 'completed', subStatus: 'ORDER_COMPLETED', cancellationReason: null },
  cancelled: {
    status: 'cancelled',
    subStatus: 'ORDER_CANCELLED',
    cancellationReason: 'The order did not pass the review.',
  },
  failed: { status: 'failed', subStatus: 'ORDER_REJECTED_BY_BANK', cancellationReason: null },
} as const satisfies Record<string, Step>

/** The first state of a payout. */
export const requested = {
  status: 'requested',
  subStatus: 'ORDER_UNDER_AML_REVIEW',
  cancellationReason: null,
} as const satisfies Step

/** The next status on the way to the payout's end; null where it stays. */
const nextSteps: Record<string, Record<PayoutEnd, keyof typeof steps | null>> = {
  requested: { completed: 'processing', failed: 'processing', cancelled: 'cancelled', held: null },
  processing: { completed: 'completed', failed: 'failed', cancelled: 'cancelled', held: null },
}

/** Moves a payout one step on. A payout that is cancelled or fails gives its money back. */
export const advancePayout: Performer = async (change) => {
  const { db, now, subject } = change
  const [payout] = await db.select().from(payouts).where(eq(payouts.id, subject)).for('update')
  if (!payout) return
  const next = nextSteps[payout.status]?.[payoutEnd(payout.destination.accountNumber)]
  if (!next) return

  const moved = { ...steps[next], updated: now }
  await db.update(payouts).set(moved).where(eq(payouts.id, subject))
  if (next === 'processing') await scheduleWork(change, { kind: 'advance-payout', subject, afterMs: bankMs })
  else if (next !== 'completed') await giveBack(change, payout)
  await recordEvent(change, 'payout.updated', toPayout({ ...payout, ...moved }))
}

/** The execution has debited the money. It comes back by an entry of its own. */
async function giveBack(change: ServiceWrite, payout: PayoutRow): Promise<void> {
  const account = await lockAccount(change.db, payout.accountId)
  if (!account) throw new Error('the funding account of a payout is gone')
  const { accountNumber, accountHolderName } = payout.destination
  await postAccountEntry(change, account, {
    amount: amount(payout.sourceAmount),
    intent: 'payout',
    intentId: payout.id,
    intentRefId: payout.quoteId ?? payout.id,
    description: `Payout to ${accountHolderName} returned`,
    counterparty: { number: accountNumber, label: accountHolderName },
  })
}
