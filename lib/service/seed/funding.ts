import { insertRows } from '#lib/db/bulk-rows.ts'
import type { Transaction } from '#lib/db/connection.ts'
import { amount, roundToMinorUnit } from '#lib/shared/money.ts'
import { dayMs } from '#lib/shared/time.ts'
import { accounts, accountTransactions, payouts } from '../tables/payouts.ts'
import { dueWork, externalIds } from '../tables/runtime.ts'
import { webhookMessages, webhooks } from '../tables/webhooks.ts'
import { initialPing } from '../webhooks/message.ts'
import { type FundingName, type PayoutPlan, planPayouts } from './payout-plans.ts'
import { toDecimal } from './plan.ts'
import { type Random, seededRandom } from './random.ts'

const fundingAccounts = {
  hkd: { currency: 'HKD', name: 'HKD operating account', number: '7880-0012-3401', availableCents: 1_204_880_00 },
  usd: { currency: 'USD', name: 'USD settlement account', number: '7880-0012-3484', availableCents: 386_412_55 },
} as const satisfies Record<FundingName, object>

/** The bank account that the program tops up from. */
const ownBank = { number: '388-123456-001', label: 'Meridian Holdings, Hang Seng Bank' }

/** A payout in one of these has given its money back. */
const returned = ['cancelled', 'failed']

type Movement = {
  ageMs: number
  cents: number
  intent: 'transfer' | 'topup' | 'payout'
  status: 'pending' | 'posted' | 'void'
  description: string
  intentId: string
  from?: { number: string; label: string }
  to?: { number: string; label: string }
}

/**
 * The two funding accounts, their ledger and payouts, and the console's webhook. A seed without card accounts is for tests: it has no
 * payouts, and the money of a funding account is one entry.
 */
export async function insertFunding(
  tx: Transaction,
  options: { cardAccounts: number; now: Date; consoleInboxUrl?: string | undefined },
): Promise<void> {
  const { now, consoleInboxUrl } = options
  const ids = { hkd: seededRandom('funding:hkd').uuid(), usd: seededRandom('funding:usd').uuid() }
  const plans = options.cardAccounts === 0 ? [] : planPayouts()
  const ledgers = (['hkd', 'usd'] as const).map((name) => makeLedger(name, ids[name], plans, now))
  const ownAccounts = ledgers.map(({ account }) => account)
  const entries = ledgers.flatMap((ledger) => ledger.entries)
  const payoutRows = plans.map((plan) => payoutRow(plan, ids[plan.from], now))
  const xids = payoutRows.flatMap(({ id, xid }) => (xid ? [{ xid, targetType: 'payout', targetId: id }] : []))
  const steps = payoutRows
    .filter(({ status }) => status === 'requested' || status === 'processing')
    .map(({ id, updated }) => ({
      kind: 'advance-payout',
      subject: id,
      dueAt: new Date(updated.getTime() + 2 * dayMs),
      payload: {},
    }))
  await insertRows(tx, accounts, ownAccounts)
  await insertRows(tx, accountTransactions, entries)
  await insertRows(tx, payouts, payoutRows)
  await insertRows(tx, externalIds, xids)
  await insertRows(tx, dueWork, steps)
  if (consoleInboxUrl !== undefined) await insertInbox(tx, consoleInboxUrl, now)
}

async function insertInbox(tx: Transaction, url: string, now: Date): Promise<void> {
  const row = { id: seededRandom('webhook:inbox').uuid(), name: 'carddesk-inbox', url, events: ['*'], createdAt: now }
  await insertRows(tx, webhooks, [{ ...row, status: 'created' }])
  await insertRows(tx, webhookMessages, [initialPing(row.id, now)])
}

function makeLedger(name: FundingName, accountId: string, plans: readonly PayoutPlan[], now: Date) {
  const { currency, name: label, number, availableCents } = fundingAccounts[name]
  const random = seededRandom(`ledger:${name}`)
  const movements =
    plans.length === 0
      ? []
      : [...plans.filter(({ from }) => from === name).flatMap(payoutMovements), ...otherMovements(name, random)]
  const settled = movements.reduce((total, { status, cents }) => total + (holds(status, cents) ? cents : 0), 0)
  const opening = topUp(random, 89 * dayMs, availableCents - settled, 'posted')
  let balance = 0
  const entries = [opening, ...movements]
    .sort((one, other) => other.ageMs - one.ageMs)
    .map((movement) => {
      const { ageMs, cents, from, to, ...given } = movement
      const isPosted = movement.status === 'posted'
      if (isPosted) balance += cents
      return {
        ...given,
        id: random.uuid(),
        accountId,
        createdAt: new Date(now.getTime() - ageMs),
        time: new Date(now.getTime() - ageMs),
        asset: currency,
        amount: toDecimal(cents),
        balance: isPosted ? toDecimal(balance) : null,
        intentRefId: random.uuid(),
        accountNumber: number,
        accountLabel: label,
        fromAccountNumber: from?.number ?? number,
        fromAccountLabel: from?.label ?? label,
        toAccountNumber: to?.number ?? number,
        toAccountLabel: to?.label ?? label,
        xid: null,
        xmetadata: null,
      }
    })
  const account = {
    id: accountId,
    number,
    name: label,
    currency,
    balance: toDecimal(balance),
    available: toDecimal(availableCents),
  }
  return { account, entries }
}

/** Whether an entry counts in the available balance: all posted ones do, and pending debits. */
function holds(status: Movement['status'], cents: number): boolean {
  return status === 'posted' || (status === 'pending' && cents < 0)
}

/** A payout is debited when it is executed, and returned by an entry of its own. */
function payoutMovements({ id, status, ageMs, updatedAgeMs, cents, beneficiary }: PayoutPlan): Movement[] {
  const { accountNumber, accountHolderName } = beneficiary.destination
  const other = { number: accountNumber, label: accountHolderName }
  const description = `Payout to ${accountHolderName}`
  const posted = { intent: 'payout', status: 'posted', intentId: id } as const
  const debit = { ...posted, ageMs, cents: -cents, description, to: other }
  const credit = { ...posted, ageMs: updatedAgeMs, cents, description: `${description} returned`, from: other }
  return returned.includes(status) ? [debit, credit] : [debit]
}

function otherMovements(name: FundingName, random: Random): Movement[] {
  const transferId = seededRandom('funding:transfer').uuid()
  const other = fundingAccounts[name === 'hkd' ? 'usd' : 'hkd']
  const counterpart = { number: other.number, label: other.name }
  return [
    topUp(random, dayMs / 6, name === 'hkd' ? 300_000_00 : 40_000_00, 'pending'),
    topUp(random, 24 * dayMs, name === 'hkd' ? 500_000_00 : 60_000_00, 'posted'),
    topUp(random, 47 * dayMs, name === 'hkd' ? 90_000_00 : 10_000_00, 'void'),
    {
      ageMs: dayMs / 4,
      cents: name === 'hkd' ? -18_000_00 : -2_400_00,
      intent: 'transfer',
      status: 'pending',
      description: 'Withdrawal to a bank account',
      intentId: seededRandom(`funding:withdrawal:${name}`).uuid(),
      to: ownBank,
    },
    {
      ageMs: 60 * dayMs,
      cents: name === 'hkd' ? -156_000_00 : 20_000_00,
      intent: 'transfer',
      status: 'posted',
      description: 'Transfer between funding accounts',
      intentId: transferId,
      ...(name === 'hkd' ? { to: counterpart } : { from: counterpart }),
    },
  ]
}

function topUp(random: Random, ageMs: number, cents: number, status: Movement['status']): Movement {
  const description = 'Top-up by bank transfer'
  return { ageMs, cents, intent: 'topup', status, description, intentId: random.uuid(), from: ownBank }
}

function payoutRow(plan: PayoutPlan, accountId: string, now: Date) {
  const { ageMs, updatedAgeMs, from, cents, beneficiary, ...given } = plan
  const { currency, rates, destination } = beneficiary
  const rate = rates[from]
  const sourceAmount = toDecimal(cents)
  return {
    ...given,
    xmetadata: null,
    created: new Date(now.getTime() - ageMs),
    updated: new Date(now.getTime() - updatedAgeMs),
    destination,
    source: null,
    sourceOfFunds: 'business',
    remarks: null,
    accountId,
    quoteId: null,
    sourceCurrency: fundingAccounts[from].currency,
    destinationCurrency: currency,
    sourceAmount,
    destinationAmount: roundToMinorUnit(amount(sourceAmount).times(rate), currency).toString(),
    rate,
  }
}
