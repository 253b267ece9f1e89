import {
  balanceDecline,
  type ChargeKind,
  chargeLimits,
  expiryDecline,
  isCardExpired,
  nextCardPeriods,
  statusDeclines,
} from '#lib/contract/charge-rule.ts'
import { exactSum, negated } from '#lib/contract/exact-sum.ts'
import { type Charges, spentAgainst } from '#lib/contract/limit-spending.ts'
import type { Card, CardAccount, CardAccountTransaction } from '#lib/contract/records.ts'
import { type CardStatus, unboundCardLimit } from '#lib/contract/terms.ts'
import { isSameCurrency } from '#lib/shared/currency.ts'
import { type Amount, amount, exactText, fitsMinorUnit, sum, toAmount } from '#lib/shared/money.ts'
import { present } from '#lib/shared/provided.ts'
import { toDate } from '#lib/shared/time.ts'
import type {
  DeclineBound,
  DeclineCause,
  DeclineChange,
  DeclineExplanation,
  DeclineObstacle,
  DeclineSlack,
  DeclineStep,
} from './types.ts'

/** A declined charge with the records that decide it. `rule` says whose: of another service only what its fields show is claimed. */
export type Declined = {
  transaction: CardAccountTransaction
  /** Null where the transaction names none, or it could not be read. */
  card: Card | null
  account: CardAccount
  /** The card's charges that counted when the charge was declined, and those that count now. */
  charges: { atDecline: Charges; now: Charges }
  /** The service's time. */
  now: Date
  rule: 'built-in' | 'unknown'
}

/** The limits that an account can have are below this (`AccountLimit` in the contract). */
const limitBound = '1e12'

/** Why a charge was declined and what would let the same one pass now: exact, from the records alone. */
export function explainDecline(declined: Declined): DeclineExplanation {
  const { transaction, card, account, rule } = declined
  const charged = isSameCurrency(transaction.currency, account.currency) ? toAmount(transaction.amount) : null
  const cause = findCause(declined)
  const bounds = listBounds(declined, charged, cause)
  const obstacles = listObstacles(declined, bounds)
  const isComplete =
    rule === 'built-in' && charged !== null && card !== null && bounds.every((bound) => bound.now.exceeds !== null)
  return {
    amount: exactText(transaction.amount),
    currency: transaction.currency,
    isConverted: transaction.authorization !== null && transaction.authorization.currency !== transaction.currency,
    cause,
    bounds,
    obstacles,
    change: suggestChange(declined, charged, obstacles, bounds, isComplete),
    isComplete,
    largestNow: isComplete && !obstacles.some(({ kind }) => kind !== 'bound') ? largestNow(bounds) : null,
  }
}

function findCause({ transaction: { authorization }, rule }: Declined): DeclineCause {
  if (rule !== 'built-in' || authorization === null) return { kind: 'as-sent' }
  const { responseCode, responseMessage } = authorization
  const matches = (decline: { responseCode: string; responseMessage: string }) =>
    decline.responseCode === responseCode && decline.responseMessage === responseMessage
  const status = stopped.find((one) => matches(statusDeclines[one]))
  if (status) return { kind: 'status', status }
  if (matches(expiryDecline)) return { kind: 'expiry' }
  if (matches(balanceDecline)) return { kind: 'bound', name: 'available' }
  const limit = chargeLimits.find(({ decline }) => matches(decline))
  return limit ? { kind: 'bound', name: limit.name } : { kind: 'other' }
}

type Stopped = Exclude<CardStatus, 'active'>
const stopped = Object.keys(statusDeclines) as Stopped[]

/** The kind of the charge, as its authorization has it; null where that leaves it open. */
function chargeKind({ authorization }: CardAccountTransaction): ChargeKind | null {
  const { type, cardPresent } = authorization ?? {}
  const known = (['PURCHASE', 'ATM'] as const).find((one) => one === type)
  return known === undefined || typeof cardPresent !== 'boolean' ? null : { type: known, cardPresent }
}

function listBounds(declined: Declined, charged: Amount | null, cause: DeclineCause): DeclineBound[] {
  const { account, card, transaction, rule } = declined
  const kind = chargeKind(transaction)
  const isNamed = cause.kind === 'bound' && cause.name === 'available'
  const balance: DeclineBound = {
    name: 'available',
    period: null,
    limit: null,
    // The available balance of that time is not recorded; the response says that it was too low.
    atDecline: isNamed ? { left: null, slack: null, exceeds: true } : unknown,
    now: computeSlack(charged, exactly(account.available)),
  }
  if (card === null) return [balance]
  const largest: DeclineBound[] =
    rule === 'built-in'
      ? []
      : [{ name: 'availableLimit', period: null, limit: null, atDecline: unknown, now: cardSlack(card, charged) }]
  const limits = chargeLimits
    .filter(({ restricts }) => kind === null || restricts(kind))
    .map((limit) => toBound(declined, charged, limit, kind !== null))
  return [balance, ...limits, ...largest]
}

const unknown: DeclineSlack = { left: null, slack: null, exceeds: null }

/** The card's largest charge as the service states it, which is for the most favourable kind of charge. */
function cardSlack({ availableLimit }: Card, charged: Amount | null): DeclineSlack {
  return computeSlack(charged, exactly(availableLimit))
}

function toBound(
  { card, charges, transaction, now, rule }: Declined,
  charged: Amount | null,
  limit: (typeof chargeLimits)[number],
  isOfThisKind: boolean,
): DeclineBound {
  const own = card?.[limit.name] ?? null
  const isNone = own !== null && own >= unboundCardLimit
  const at = (of: Charges, instant: Date | null): DeclineSlack => {
    if (own === null || !isOfThisKind) return unknown
    if (isNone) return { left: null, slack: null, exceeds: false }
    const most = amount(own)
    // Over which time another service counts is unknown; more than the limit itself is too much in any case.
    if (limit.period !== 'charge' && rule !== 'built-in') {
      return { left: null, slack: null, exceeds: charged?.gt(most) ? true : null }
    }
    const spent = instant === null ? null : spentAgainst(limit, of, instant)
    if (spent === null) return { ...unknown, exceeds: charged?.gt(most) ? true : null }
    return computeSlack(charged, {
      least: toAmount(exactSum([own, negated(spent.most)])),
      most: most.minus(spent.least),
    })
  }
  const declinedAt = toDate(transaction.createdAt)
  return {
    name: limit.name,
    period: rule === 'built-in' ? limit.period : limit.period === 'charge' ? 'charge' : null,
    limit: isNone ? 'none' : exactText(own),
    atDecline: at(charges.atDecline, declinedAt),
    now: at(charges.now, now),
  }
}

/** The rest of a limit, where the records show it only within bounds; `least` null: there is no lower bound. */
type Left = { least: Amount | null; most: Amount }

function exactly(left: number | null): Left | null {
  const exact = toAmount(left)
  return exact && { least: exact, most: exact }
}

function computeSlack(charged: Amount | null, left: Left | null): DeclineSlack {
  if (charged === null || left === null) return unknown
  const { least, most } = left
  const isExact = least?.eq(most)
  return {
    left: isExact ? most.toFixed() : null,
    slack: isExact ? most.minus(charged).toFixed() : null,
    exceeds: charged.gt(most) ? true : least?.gte(charged) ? false : null,
  }
}

/** False where the card's expiry is not known. */
function isExpiredAt(card: Card | null, at: Date): boolean {
  const { expiryMonth = null, expiryYear = null } = card ?? {}
  return expiryMonth !== null && expiryYear !== null && isCardExpired({ expiryMonth, expiryYear }, at)
}

function listObstacles({ card, now, rule }: Declined, bounds: readonly DeclineBound[]): DeclineObstacle[] {
  const status = stopped.find((one) => one === card?.status)
  const isExpired = rule === 'built-in' && isExpiredAt(card, now)
  const exceeded = bounds.filter((bound) => bound.now.exceeds === true)
  return [
    ...(status ? [{ kind: 'status' as const, status }] : []),
    ...(isExpired ? [{ kind: 'expiry' as const }] : []),
    ...exceeded
      // The largest charge follows from the balance, too.
      .filter(({ name }) => name !== 'availableLimit' || exceeded.length === 1)
      .map(({ name, now: { slack } }) => ({
        kind: 'bound' as const,
        name,
        short: exactText(toAmount(slack)?.negated()),
      })),
  ]
}

function suggestChange(
  declined: Declined,
  charged: Amount | null,
  obstacles: readonly DeclineObstacle[],
  bounds: readonly DeclineBound[],
  isComplete: boolean,
): DeclineChange {
  if (obstacles.length === 0) return { kind: isComplete ? 'none' : 'not-known' }
  const steps = obstacles.map((obstacle) => stepFor(declined.account, charged, obstacle))
  if (!steps.includes(null)) return { kind: 'steps', steps: present(steps) }
  const from = isComplete ? passesFrom(declined.now, charged, obstacles, bounds) : null
  return { kind: 'no-action', passesFrom: from !== null && !isExpiredAt(declined.card, new Date(from)) ? from : null }
}

const liftedBy: Partial<Record<Stopped, 'unlock' | 'unsuspend' | 'activate'>> = {
  locked: 'unlock',
  suspended: 'unsuspend',
  'pending-activation': 'activate',
}

/** The change that removes an obstacle; null where the interface has no endpoint for it. No endpoint changes a card's own limits. */
function stepFor(account: CardAccount, charged: Amount | null, obstacle: DeclineObstacle): DeclineStep | null {
  if (obstacle.kind === 'status') {
    const action = liftedBy[obstacle.status]
    return action ? { kind: 'card-action', action } : null
  }
  if (obstacle.kind !== 'bound' || obstacle.name !== 'available' || charged === null) return null
  const { accountType, currency, limit, balance, available } = account
  if (accountType !== 'credit' || currency === null || balance === null || available === null) return null
  // Only where the record shows that the limit makes up what is available.
  if (!sum([limit, balance])?.eq(available)) return null
  const needed = charged.minus(balance)
  return needed.lt(limitBound) && fitsMinorUnit(needed, currency)
    ? { kind: 'set-limit', limit: needed.toFixed() }
    : null
}

/** When the limits that stop the charge have begun anew, where nothing else stops it and they are high enough. */
function passesFrom(
  now: Date,
  charged: Amount | null,
  obstacles: readonly DeclineObstacle[],
  bounds: readonly DeclineBound[],
): string | null {
  const next = nextCardPeriods(now)
  const starts = obstacles.map((obstacle) => {
    const bound = obstacle.kind === 'bound' ? bounds.find(({ name }) => name === obstacle.name) : undefined
    if (bound?.period !== 'day' && bound?.period !== 'month') return null
    return bound.limit !== null && charged?.lte(bound.limit) ? next[bound.period].toISOString() : null
  })
  return starts.includes(null) ? null : (starts.toSorted().at(-1) ?? null)
}

function largestNow(bounds: readonly DeclineBound[]): string | null {
  const lefts = bounds.filter(({ limit }) => limit !== 'none').map(({ now }) => now.left)
  const least = lefts.reduce((one, other) => (one === null || other === null || amount(one).lt(other) ? one : other))
  return least !== null && !lefts.includes(null) && amount(least).gt(0) ? least : null
}
