import type { ClientBase } from 'pg'
import { dayMs } from '#lib/shared/time.ts'
import { accounts, accountTransactions, payouts } from '../tables/payouts.ts'
import { dueWork, externalIds } from '../tables/runtime.ts'
import { webhookMessages, webhooks } from '../tables/webhooks.ts'
import { initialPing } from '../webhooks/message.ts'
import { insertRows } from './bulk-insert.ts'
import { type FundingName, type PayoutPlan, planPayouts } from './payout-plans.ts'
import { decimalOf } from './plan.ts'
import { type Random, randomOf } from './random.ts'

const fundingAccounts = {
  hkd: { currency: 'HKD', name: 'HKD operating account', number: '7880-0012-3401', availableCents: 1_204_880_00 },
  usd: { currency: 'USD', name: 'USD settlement account', number: '7880-0012-3484', availableCents: 386_412_55 },
} as const satisfies Record<FundingName, object>

/** What is left of the ledger entry of a payout in this status. An unknown status holds the money. */
const entryStatuses: Record<string, 'posted' | 'void'> = { completed: 'posted', cancelled: 'void', failed: 'void' }

type Movement = {
  ageMs: number
  /** How long ago it was posted, where that was later than it was recorded. */
  postedAgeMs?: number
  cents: number
  intent: 'transfer' | 'topup' | 'payout'
  status: 'pending' | 'posted' | 'void'
  description: string
  intentId: string
  from?: { number: string; label: string }
  to?: { number: string; label: string }
}

/** The two funding accounts, their ledger and payouts, and the console's webhook. */
export async function insertFunding(
  client: ClientBase,
  options: { now: Date; consoleInboxUrl?: string | undefined },
): Promise<void> {
  const ids = { hkd: randomOf('funding:hkd').uuid(), usd: randomOf('funding:usd').uuid() }
  const plans = planPayouts().map((plan, place) => ({ plan, id: randomOf(`payout:${place}`).uuid() }))
  const ledgers = (['hkd', 'usd'] as const).map((name) => ledgerOf(name, ids[name], plans, options.now))
  await insertRows(
    client,
    accounts,
    ledgers.map((ledger) => ledger.account),
  )
  await insertRows(
    client,
    accountTransactions,
    ledgers.flatMap((ledger) => ledger.entries),
  )
  await insertRows(
    client,
    payouts,
    plans.map(({ plan, id }) => payoutRow(plan, id, ids[plan.from], options.now)),
  )
  await insertRows(
    client,
    externalIds,
    plans.flatMap(({ plan, id }) => (plan.xid === null ? [] : [{ xid: plan.xid, targetType: 'payout', targetId: id }])),
  )
  await insertRows(
    client,
    dueWork,
    plans
      .filter(({ plan }) => plan.status === 'requested' || plan.status === 'processing')
      .map(({ plan, id }) => ({
        kind: 'advance-payout',
        subject: id,
        dueAt: new Date(options.now.getTime() - plan.updatedAgeMs + 2 * dayMs),
        payload: {},
      })),
  )
  if (options.consoleInboxUrl !== undefined) await insertInbox(client, options.consoleInboxUrl, options.now)
}

async function insertInbox(client: ClientBase, url: string, now: Date): Promise<void> {
  const row = { id: randomOf('webhook:inbox').uuid(), name: 'carddesk-inbox', url, events: ['*'], createdAt: now }
  await insertRows(client, webhooks, [{ ...row, status: 'created' }])
  await insertRows(client, webhookMessages, [initialPing(row.id, now)])
}

type PlannedPayout = { plan: PayoutPlan; id: string }

function ledgerOf(name: FundingName, accountId: string, plans: readonly PlannedPayout[], now: Date) {
  const { currency, name: label, number, availableCents } = fundingAccounts[name]
  const random = randomOf(`ledger:${name}`)
  const movements = [
    ...plans.filter(({ plan }) => plan.from === name).map((planned) => payoutMovement(planned)),
    ...otherMovements(name, random),
  ]
  const settled = movements.reduce((total, { status, cents }) => total + (holds(status, cents) ? cents : 0), 0)
  const opening = topUp(random, 89 * dayMs, availableCents - settled, 'posted')
  let balance = 0
  const entries = [opening, ...movements]
    .sort((a, b) => timeAgeMs(b) - timeAgeMs(a))
    .map((movement) => {
      if (movement.status === 'posted') balance += movement.cents
      return {
        id: random.uuid(),
        accountId,
        createdAt: new Date(now.getTime() - movement.ageMs),
        time: new Date(now.getTime() - timeAgeMs(movement)),
        asset: currency,
        amount: decimalOf(movement.cents),
        balance: movement.status === 'posted' ? decimalOf(balance) : null,
        intent: movement.intent,
        intentId: movement.intentId,
        intentRefId: random.uuid(),
        status: movement.status,
        description: movement.description,
        accountNumber: number,
        accountLabel: label,
        fromAccountNumber: movement.from?.number ?? number,
        fromAccountLabel: movement.from?.label ?? label,
        toAccountNumber: movement.to?.number ?? number,
        toAccountLabel: movement.to?.label ?? label,
        xid: null,
        xmetadata: null,
      }
    })
  const account = {
    id: accountId,
    number,
    name: label,
    currency,
    balance: decimalOf(balance),
    available: decimalOf(availableCents),
  }
  return { account, entries }
}

function timeAgeMs({ ageMs, postedAgeMs }: Movement): number {
  return postedAgeMs ?? ageMs
}

/** What is available: everything posted, and what pending entries take away. */
function holds(status: Movement['status'], cents: number): boolean {
  return status === 'posted' || (status === 'pending' && cents < 0)
}

function payoutMovement({ plan, id }: PlannedPayout): Movement {
  const status = entryStatuses[plan.status] ?? 'pending'
  return {
    ageMs: plan.ageMs,
    ...(status === 'posted' ? { postedAgeMs: plan.updatedAgeMs } : {}),
    cents: -plan.cents,
    intent: 'payout',
    status,
    description: `Payout to ${plan.beneficiary.holder}`,
    intentId: id,
    to: { number: plan.beneficiary.accountNumber, label: plan.beneficiary.holder },
  }
}

function otherMovements(name: FundingName, random: Random): Movement[] {
  const transferId = randomOf('funding:transfer').uuid()
  const other = fundingAccounts[name === 'hkd' ? 'usd' : 'hkd']
  const counterpart = { number: other.number, label: other.name }
  return [
    topUp(random, dayMs / 6, name === 'hkd' ? 300_000_00 : 40_000_00, 'pending'),
    topUp(random, 24 * dayMs, name === 'hkd' ? 500_000_00 : 60_000_00, 'posted'),
    topUp(random, 47 * dayMs, name === 'hkd' ? 90_000_00 : 10_000_00, 'void'),
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
  const from = { number: '388-123456-001', label: 'Meridian Holdings, Hang Seng Bank' }
  return {
    ageMs,
    cents,
    intent: 'topup',
    status,
    description: 'Top-up by bank transfer',
    intentId: random.uuid(),
    from,
  }
}

function payoutRow(plan: PayoutPlan, id: string, accountId: string, now: Date): typeof payouts.$inferInsert {
  const { beneficiary } = plan
  const rateMillionths = beneficiary.rateMillionths[plan.from]
  return {
    id,
    xid: plan.xid,
    xmetadata: null,
    created: new Date(now.getTime() - plan.ageMs),
    updated: new Date(now.getTime() - plan.updatedAgeMs),
    method: plan.method,
    destination: {
      type: beneficiary.type,
      accountNumber: beneficiary.accountNumber,
      routingNumber: beneficiary.routingNumber,
      country: beneficiary.country,
      bankName: beneficiary.bankName,
      bankAddress: beneficiary.bankAddress,
      wireCode: beneficiary.wireCode,
      accountHolderName: beneficiary.holder,
      accountHolderAddress: beneficiary.address,
    },
    source: null,
    purpose: plan.purpose,
    sourceOfFunds: 'business',
    remarks: null,
    accountId,
    quoteId: null,
    sourceCurrency: fundingAccounts[plan.from].currency,
    destinationCurrency: beneficiary.currency,
    sourceAmount: decimalOf(plan.cents),
    destinationAmount: received(plan.cents, rateMillionths, beneficiary.hasMinorUnit),
    rate: decimalOf6(rateMillionths),
    status: plan.status,
    subStatus: plan.subStatus,
    cancellationReason: plan.cancellationReason,
  }
}

/** Rounded half up to the currency's minor unit, in whole numbers throughout. */
function received(cents: number, rateMillionths: number, hasMinorUnit: boolean): string {
  const exact = BigInt(cents) * BigInt(rateMillionths)
  const divisor = hasMinorUnit ? 1_000_000n : 100_000_000n
  const rounded = Number((2n * exact + divisor) / (2n * divisor))
  return hasMinorUnit ? decimalOf(rounded) : String(rounded)
}

function decimalOf6(millionths: number): string {
  const digits = String(millionths).padStart(7, '0')
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`
}
