import type { Card, CardAccountTransaction } from '#lib/contract/records.ts'
import { accountTypes, cardAccountCurrencies, clientIdentityStatuses, rejectionReasons } from '#lib/contract/terms.ts'
import { exampleIndividual } from '#lib/contract/test-values.ts'
import { amount, roundToMinorUnit, sum, toWire, type Amount } from '#lib/shared/money.ts'
import { dayMs, secondMs } from '#lib/shared/time.ts'
import { buildEntry, type BuiltEntry } from './build-entry.ts'
import { cardStateSteps, expectedCard, inventedMetadata, issueMoment } from './cards.ts'
import type { AccountCase } from './case.ts'
import { accountVariable, type EntrySetting, named } from './entry.ts'
import { checkSteps } from './expected.ts'
import type { Notes } from './notes.ts'
import type { PersonalCheck } from './personal.ts'
import { onTimeline, type FileStep, type Moment } from './timeline.ts'

type RejectionReason = (typeof rejectionReasons)[number]

/** History that is older is one entry. */
const longestHistoryMs = 366 * dayMs
const mostCards = 20

/** The steps that open an account and bring it into the state of a case, with at most so many of its newest transactions. */
export function accountSteps(
  original: AccountCase,
  mostTransactions: number,
  isPersonal: PersonalCheck,
  notes: Notes,
): { steps: FileStep[]; spanMs: number } {
  const nowMs = original.now.getTime()
  const currency = chooseCurrency(original, isPersonal, notes)
  const entries = keptEntries(original, mostTransactions, notes)
  const cards = keptCards(original, entries, notes)
  const cardVariables = new Map(cards.map(({ id }, index) => [id, `card${index + 1}`]))
  const setting: EntrySetting = {
    currency,
    nowMs,
    cards: cardVariables,
    entries: new Map(entries.map(({ id }, index) => [id, `entry${index + 1}`])),
    fees: new Map(original.fees.flatMap((fee) => (fee.transaction?.id ? [[fee.transaction.id, fee] as const] : []))),
    refunded: pairedRefunds(entries),
    isPersonal,
    notes,
  }
  const built = entries.flatMap((entry) => buildEntry(entry, setting) ?? [])
  const missing = amount(original.account.balance ?? 0).minus(sum(built.map(({ effect }) => effect)))
  const cardSetting = { nowMs, cards: cardVariables, isPersonal, notes }
  const issued = cards.map((card) => ({ moment: issueMoment(card, cardSetting), expected: expectedCard(card) }))
  const dated = [...issued.map(({ moment }) => moment), ...built.flatMap(({ moments }) => moments)]
  const openedMs = openingMs(original, dated)
  const opening = [{ atMs: openedMs, steps: openingSteps(original, currency, isPersonal, notes) }]
  const forward = forwardMoment(roundToMinorUnit(missing, currency), openedMs, notes)
  const { steps, spanMs } = onTimeline([...opening, ...forward, ...dated])
  const checks = checkSteps({
    account: expectedAccount(original, currency, built),
    rejectedReason: findRejectionReason(original),
    cards: newestFirst(issued.map(({ moment, expected }) => ({ ...moment, expected }))),
    entries: newestFirst(built.map(({ moments: [first], expected }) => ({ atMs: first?.atMs ?? 0, expected }))),
    isForwarded: forward.length > 0,
  })
  return { steps: [...steps, ...cards.flatMap((card) => cardStateSteps(card, cardSetting)), ...checks], spanMs }
}

/** Sorted as the service's lists are. */
function newestFirst<Expected>(made: readonly { atMs: number; expected: Expected }[]): Expected[] {
  return made
    .toSorted((one, other) => one.atMs - other.atMs)
    .map(({ expected }) => expected)
    .toReversed()
}

function expectedAccount(
  { account }: AccountCase,
  currency: string,
  built: readonly BuiltEntry[],
): Record<string, unknown> {
  const isDisputed = ({ expected: { disputeStatus } }: BuiltEntry) =>
    disputeStatus === 'requested' || disputeStatus === 'pending'
  const disputed = sum(built.filter(isDisputed).map(({ expected }) => expected.amount))
  const status = clientIdentityStatuses.find((one) => one === account.clientIdentityStatus)
  return {
    accountType: account.accountType === 'prepaid' ? 'prepaid' : 'credit',
    currency,
    balance: toWire(roundToMinorUnit(amount(account.balance ?? 0), currency)),
    disputeAmount: toWire(disputed),
    clientIdentityStatus: status ?? 'pending',
  }
}

/** The transactions that are made, oldest first: of one that the case is about, and what belongs to it. */
export function keptEntries(
  { transactions, transactionId, isTruncated, now }: AccountCase,
  most: number,
  notes?: Notes,
): CardAccountTransaction[] {
  const oldestFirst = transactions.toSorted((one, other) => createdMs(one) - createdMs(other))
  if (transactionId !== null) {
    const refunds = pairedRefunds(oldestFirst)
    const charge = refunds.get(transactionId)?.id
    const isRelated = ({ id }: CardAccountTransaction) =>
      id === transactionId || id === charge || refunds.get(id)?.id === transactionId
    return oldestFirst.filter(isRelated)
  }
  const recent = oldestFirst.filter((entry) => createdMs(entry) >= now.getTime() - longestHistoryMs).slice(-most)
  if (recent.length < transactions.length)
    notes?.add(`${transactions.length - recent.length} older transactions are in the balance that is brought forward.`)
  if (isTruncated) notes?.add('The account has more transactions, cards or fees than were read.')
  return recent
}

function createdMs({ createdAt }: { createdAt: string | null }): number {
  const ms = createdAt === null ? Number.NaN : Date.parse(createdAt)
  return Number.isFinite(ms) ? ms : 0
}

/** The cards that are issued, oldest first: those of the transactions, where the case is about one. */
export function keptCards(
  { cards, transactionId }: AccountCase,
  entries: readonly CardAccountTransaction[],
  notes?: Notes,
): Card[] {
  const used = new Set(entries.map(({ cardId }) => cardId))
  const wanted = transactionId === null ? cards : cards.filter(({ id }) => used.has(id))
  const kept = wanted.toSorted((one, other) => createdMs(one) - createdMs(other)).slice(-mostCards)
  if (kept.length < wanted.length) notes?.add(`${wanted.length - kept.length} older cards are left out.`)
  return kept
}

/**
 * The charge that each refund gives back, by the refund's id: the newest earlier one of the same card whose description ends the refund's,
 * and of which as much is left.
 */
function pairedRefunds(oldestFirst: readonly CardAccountTransaction[]): Map<string, CardAccountTransaction> {
  const pairs = new Map<string, CardAccountTransaction>()
  const left = new Map<string, Amount>()
  for (const [index, refund] of oldestFirst.entries()) {
    if (refund.intent !== 'refund' || refund.status !== 'posted' || refund.amount === null) continue
    const value = amount(refund.amount)
    const charge = oldestFirst.slice(0, index).findLast((one) => {
      const isOfRefund =
        one.intent === 'charge' &&
        one.status === 'posted' &&
        one.cardId === refund.cardId &&
        createdMs(one) < createdMs(refund) &&
        one.amount !== null &&
        one.description !== null &&
        refund.description?.endsWith(one.description)
      return isOfRefund && (left.get(one.id) ?? amount(one.amount ?? 0)).gte(value)
    })
    if (!charge) continue
    pairs.set(refund.id, charge)
    left.set(charge.id, (left.get(charge.id) ?? amount(charge.amount ?? 0)).minus(value))
  }
  return pairs
}

/** The currency of the account in the sandbox, which has some. */
function chooseCurrency({ account }: AccountCase, isPersonal: PersonalCheck, notes: Notes): string {
  const known = cardAccountCurrencies.find((one) => one === account.currency)
  if (known === undefined) {
    const shown = /^[A-Z]{3}$/.test(account.currency ?? '') ? account.currency : named(account.currency, isPersonal)
    notes.add(`The sandbox has no accounts in the currency of the original (${shown}); here it is HKD.`)
  }
  return known ?? 'HKD'
}

/** Before everything else, and when the original was opened, if that is within the history. */
function openingMs({ account, now }: AccountCase, dated: readonly Moment[]): number {
  const oldestMs = Math.min(0, ...dated.map(({ atMs }) => atMs))
  const openedMs = createdMs(account) - now.getTime()
  return Math.min(oldestMs, Math.max(openedMs, -longestHistoryMs)) - 2 * secondMs
}

function openingSteps(
  { account, identity }: AccountCase,
  currency: string,
  isPersonal: PersonalCheck,
  notes: Notes,
): FileStep[] {
  const accountType = accountTypes.find((one) => one === account.accountType)
  if (accountType === undefined)
    notes.add(`The type of the account is ${named(account.accountType, isPersonal)}; here it is credit.`)
  if (account.identityType !== null && account.identityType !== 'individual')
    notes.add('The account is no individual’s; the sandbox opens accounts for individuals alone.')
  const isCredit = accountType !== 'prepaid'
  const limit = roundToMinorUnit(amount(account.limit ?? 0), currency)
  if (!isCredit && !limit.isZero()) notes.add('A prepaid account has a limit; the sandbox’s have none.')
  const isInRange = limit.gte(0) && limit.lt(1e12)
  if (isCredit && !isInRange) notes.add('The limit of the account is negative, or more than the sandbox allows.')
  return [
    {
      name: `Open a ${accountType ?? 'credit'} account`,
      call: 'POST /cardaccounts',
      body: {
        name: `${exampleIndividual.lastName} ${exampleIndividual.firstName}`,
        phoneNumber: exampleIndividual.mobile,
        identityType: 'individual',
        accountType: accountType ?? 'credit',
        currency,
        ...(isCredit && isInRange ? { limit: toWire(limit) } : {}),
        ...(account.xid === null ? {} : { xid: 'reproduced-${run}' }),
        ...(account.xmetadata === null ? {} : { xmetadata: inventedMetadata(account.xmetadata) }),
        individual: exampleIndividual,
      },
      save: { cardAccountId: 'body.id' },
    },
    ...identitySteps(account.clientIdentityStatus, identity, isPersonal, notes),
    { name: 'The products of cards', control: 'GET /products', save: { products: 'body.products' } },
  ]
}

function identitySteps(
  status: string | null,
  identity: AccountCase['identity'],
  isPersonal: PersonalCheck,
  notes: Notes,
): FileStep[] {
  const call = 'POST /cardaccounts/simulate-client-identity-status'
  if (status === 'approved') return [{ call, body: { cardAccountId: accountVariable, action: 'approve' } }]
  if (status !== 'rejected') {
    if (status !== 'pending')
      notes.add(`The identity has a status that the sandbox doesn’t know: ${named(status, isPersonal)}.`)
    return []
  }
  if (!rejectionReasons.some((one) => one === identity?.rejectedReason))
    notes.add(
      'The reason of the rejected identity is missing, or none of the interface’s; here it is the first of them.',
    )
  const body = {
    cardAccountId: accountVariable,
    action: 'reject',
    rejectedReason: knownReason(identity),
    ...(identity?.rejectionAdditionalInfo ? { rejectionAdditionalInfo: 'The document can’t be used.' } : {}),
  }
  return [{ call, body }]
}

function knownReason(identity: AccountCase['identity']): RejectionReason {
  return rejectionReasons.find((one) => one === identity?.rejectedReason) ?? rejectionReasons[0]
}

function findRejectionReason({ account, identity }: AccountCase): RejectionReason | null {
  return account.clientIdentityStatus === 'rejected' ? knownReason(identity) : null
}

/** One entry for the part of the balance that the other transactions don't explain. */
function forwardMoment(missing: Amount, openedMs: number, notes: Notes): Moment[] {
  if (missing.isZero()) return []
  notes.add('What other transactions left of the balance is one entry: Balance brought forward.')
  const body = {
    cardAccountId: accountVariable,
    intent: 'other',
    amount: toWire(missing.abs()),
    entryType: missing.isNegative() ? 'CREDIT' : 'DEBIT',
    description: forwardDescription,
  }
  return [{ atMs: openedMs + secondMs, steps: [{ control: 'POST /credits', body }] }]
}

export const forwardDescription = 'Balance brought forward'
