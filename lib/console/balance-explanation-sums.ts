import type { CardAccount, CardAccountTransaction } from '#lib/contract/records.ts'
import { amount, sum, type Amount } from '#lib/shared/money.ts'

/** Entries of one kind, added up. `amount` is signed decimal text: DEBIT adds, CREDIT takes. */
export type BalanceLine = {
  status: string
  intent: string
  entryType: 'DEBIT' | 'CREDIT'
  entries: number
  amount: string
}

/** An entry that a sum is made of, to lead to it. */
export type NamedEntry = Pick<
  CardAccountTransaction,
  'id' | 'createdAt' | 'status' | 'amount' | 'currency' | 'entryType' | 'description' | 'intent' | 'disputeStatus'
>

/**
 * A figure of the service beside what the console comes to; `difference` is the first less the second. Null: the service states
 * none that can be read, or the console knows no rule for it.
 */
export type Check = { stated: string | null; expected: string | null; difference: string | null }

export type BalanceSums = {
  /** What moves the balance: posted first, then pending; each direction and intent by itself. */
  lines: BalanceLine[]
  /** Declined and void: they move nothing. `amount` is without a sign. */
  uncounted: { status: string; entries: number; amount: string }[]
  /** Statuses that the interface does not name: whether they count is not known, so they are in no sum. */
  unknown: { status: string; entries: number; amount: string }[]
  /** Entries whose amount, direction or currency the console cannot read. */
  unreadable: number
  posted: string
  pending: string
  /** The pending entries that take, without a sign. */
  pendingTaken: string
  /** The balance less every entry that was read: what stood there before the earliest of them. Null without a balance. */
  carriedForward: string | null
  available: Check
  outstanding: Check
  disputed: Check
  pendingEntries: NamedEntry[]
  disputedEntries: NamedEntry[]
}

const counting = ['posted', 'pending']
const notCounting = ['declined', 'void']
const openDisputes = ['requested', 'pending']
const mostNamed = 20

type Figures = Pick<
  CardAccount,
  'accountType' | 'currency' | 'limit' | 'balance' | 'available' | 'outstanding' | 'disputeAmount'
>

/** Adds up what was read of an account and compares it with the service's own figures. Newest first, as they come. */
export function sumsOf(account: Figures, transactions: readonly CardAccountTransaction[]): BalanceSums {
  const readable = transactions.filter((one) => isReadable(one, account.currency))
  const lines = new Map<string, { line: BalanceLine; sum: Amount }>()
  const rest = new Map<string, { status: string; entries: number; sum: Amount }>()
  for (const { status, intent, entryType, amount: size } of readable) {
    if (counting.includes(status)) {
      const key = JSON.stringify([status, intent, entryType])
      const known = lines.get(key) ?? { line: { status, intent, entryType, entries: 0, amount: '0' }, sum: amount(0) }
      known.line.entries += 1
      lines.set(key, {
        ...known,
        sum: entryType === 'DEBIT' ? known.sum.plus(amount(size)) : known.sum.minus(amount(size)),
      })
    } else {
      const known = rest.get(status) ?? { status, entries: 0, sum: amount(0) }
      rest.set(status, { ...known, entries: known.entries + 1, sum: known.sum.plus(amount(size)) })
    }
  }
  const counted = [...lines.values()]
  const sumWhere = (holds: (line: BalanceLine) => boolean) =>
    counted.reduce((total, { line, sum }) => (holds(line) ? total.plus(sum) : total), amount(0))
  const posted = sumWhere(({ status }) => status === 'posted')
  const pending = sumWhere(({ status }) => status === 'pending')
  const others = [...rest.values()].map(({ sum, ...one }) => ({ ...one, amount: sum.toFixed() }))
  const isDisputed = ({ disputeStatus }: CardAccountTransaction) => openDisputes.includes(disputeStatus ?? '')
  return {
    lines: counted.map(({ line, sum }) => ({ ...line, amount: sum.toFixed() })).toSorted(inOrder),
    uncounted: others.filter(({ status }) => notCounting.includes(status)),
    unknown: others.filter(({ status }) => !notCounting.includes(status)),
    unreadable: transactions.length - readable.length,
    posted: posted.toFixed(),
    pending: pending.toFixed(),
    pendingTaken: sumWhere(({ status, entryType }) => status === 'pending' && entryType === 'CREDIT')
      .negated()
      .plus(0)
      .toFixed(),
    carriedForward: figureOf(account.balance)?.minus(posted).minus(pending).toFixed() ?? null,
    ...checksOf(account, readable.filter(isDisputed)),
    pendingEntries: readable
      .filter(({ status }) => status === 'pending')
      .slice(0, mostNamed)
      .map(named),
    disputedEntries: readable.filter(isDisputed).slice(0, mostNamed).map(named),
  }
}

/** How the interface's figures hang together; of an account type that it does not name nothing is known. */
function expectedAvailable({ accountType, balance, limit }: Figures): Amount | null {
  if (accountType === 'prepaid') return figureOf(balance)
  const [held, most] = [figureOf(balance), figureOf(limit)]
  return accountType === 'credit' && held && most ? held.plus(most) : null
}

function checksOf(account: Figures, disputed: readonly CardAccountTransaction[]) {
  const balance = figureOf(account.balance)
  const owed = balance?.isNegative() ? balance.negated() : amount(0)
  return {
    available: check(account.available, expectedAvailable(account)),
    outstanding: check(account.outstanding, balance && owed),
    disputed: check(account.disputeAmount, sum(disputed.map((one) => one.amount))),
  }
}

function check(stated: unknown, expected: Amount | null): Check {
  const exact = figureOf(stated)
  return {
    stated: exact?.toFixed() ?? null,
    expected: expected?.toFixed() ?? null,
    difference: (exact && expected && exact.minus(expected).toFixed()) ?? null,
  }
}

/** Null where a service sends something else than a number. */
function figureOf(value: unknown): Amount | null {
  return typeof value === 'number' && Number.isFinite(value) ? amount(value) : null
}

function isReadable({ amount: size, entryType, currency }: CardAccountTransaction, accountCurrency: string): boolean {
  const hasAmount = typeof size === 'number' && Number.isFinite(size)
  return hasAmount && (entryType === 'DEBIT' || entryType === 'CREDIT') && currency === accountCurrency
}

/** Posted before pending, what adds before what takes, the larger first. */
function inOrder(one: BalanceLine, other: BalanceLine): number {
  return (
    counting.indexOf(one.status) - counting.indexOf(other.status) ||
    (one.entryType === other.entryType ? 0 : one.entryType === 'DEBIT' ? -1 : 1) ||
    amount(other.amount).abs().comparedTo(amount(one.amount).abs()) ||
    (one.intent < other.intent ? -1 : 1)
  )
}

function named(one: CardAccountTransaction): NamedEntry {
  const { id, createdAt, status, amount, currency, entryType, description, intent, disputeStatus, merchant } = one
  const words = description || merchant?.name || ''
  return { id, createdAt, status, amount, currency, entryType, description: words, intent, disputeStatus }
}
