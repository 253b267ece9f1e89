import type { CardAccount, CardAccountTransaction } from '#lib/contract/records.ts'
import { isUncounted, openDisputeStatuses } from '#lib/contract/terms.ts'
import { isSameCurrency } from '#lib/shared/currency.ts'
import { amount, exactText, sum, toAmount, type Amount } from '#lib/shared/money.ts'
import type { BalanceLine, BalanceSums, Check, NamedEntry, StatusSum } from './types.ts'

const counting = ['posted', 'pending']
const closedDisputes = ['success', 'failed', 'reported']
const mostNamed = 20

type Figures = Pick<
  CardAccount,
  'accountType' | 'currency' | 'limit' | 'balance' | 'available' | 'outstanding' | 'disputeAmount'
>

/** Records that came without an id, and whether the entries are all that the account has. */
export type EntryCoverage = { excluded: number; isWhole: boolean }

/** Adds up the entries of an account and compares them with the service's own figures. Newest first, as they come. */
export function sumBalance(
  account: Figures,
  transactions: readonly CardAccountTransaction[],
  { excluded, isWhole }: EntryCoverage = { excluded: 0, isWhole: true },
): BalanceSums {
  const countingKind = ({ status }: CardAccountTransaction) =>
    counting.includes(status ?? '') ? 'counted' : isUncounted(status) ? 'uncounted' : 'unknown'
  const { counted = [], uncounted = [], unknown = [] } = Object.groupBy(transactions, countingKind)
  const readable = counted.flatMap((one) => toReadableEntry(one, account.currency) ?? [])
  const isReadable = (status: string) =>
    readable.some((one) => one.status === status) || !counted.some((one) => one.status === status)
  const sumWhere = (holds: (entry: ReadableEntry) => boolean) => sum(readable.filter(holds).map(({ effect }) => effect))
  const posted = sumWhere(({ status }) => status === 'posted')
  const pending = sumWhere(({ status }) => status === 'pending')
  const taken = sumWhere(({ status, entryType }) => status === 'pending' && entryType === 'CREDIT')
  const unreadable = counted.length - readable.length
  const excludedInAll = unreadable + unknown.length + excluded
  return {
    lines: groupLines(readable),
    uncounted: statusSums(uncounted, account.currency),
    unknown: statusSums(unknown, account.currency),
    unreadable,
    excluded: excludedInAll,
    posted: isReadable('posted') ? posted.toFixed() : null,
    pending: isReadable('pending') ? pending.toFixed() : null,
    pendingTaken: isReadable('pending') ? taken.negated().plus(0).toFixed() : null,
    carriedForward: excludedInAll > 0 ? null : exactText(toAmount(account.balance)?.minus(posted).minus(pending)),
    ...checkFigures(account, isWhole && excluded === 0 ? disputedSum(transactions, account.currency) : null),
    pendingEntries: transactions
      .filter(({ status }) => status === 'pending')
      .slice(0, mostNamed)
      .map(named),
    disputedEntries: transactions.filter(isDisputed).slice(0, mostNamed).map(named),
  }
}

type ReadableEntry = { status: string; intent: string | null; entryType: 'DEBIT' | 'CREDIT'; effect: Amount }

/** An entry with its effect on the balance; null where the amount, direction or currency is not known. */
function toReadableEntry(one: CardAccountTransaction, accountCurrency: string | null): ReadableEntry | null {
  const { status, intent, entryType } = one
  const size = amountInCurrency(one, accountCurrency)
  if (size === null || status === null || (entryType !== 'DEBIT' && entryType !== 'CREDIT')) return null
  return { status, intent, entryType, effect: entryType === 'DEBIT' ? size : size.negated() }
}

/** Null where there is no amount in the account's own currency. */
function amountInCurrency(
  { amount: size, currency }: CardAccountTransaction,
  accountCurrency: string | null,
): Amount | null {
  return isSameCurrency(currency, accountCurrency) ? toAmount(size) : null
}

function groupLines(readable: readonly ReadableEntry[]): BalanceLine[] {
  const groups = Map.groupBy(readable, ({ status, intent, entryType }) => JSON.stringify([status, intent, entryType]))
  return [...groups.values()]
    .flatMap((own) => {
      const [first] = own
      if (!first) return []
      const { status, intent, entryType } = first
      const amount = sum(own.map(({ effect }) => effect)).toFixed()
      return [{ status, intent, entryType, entries: own.length, amount }]
    })
    .toSorted(inOrder)
}

function statusSums(transactions: readonly CardAccountTransaction[], accountCurrency: string | null): StatusSum[] {
  return [...Map.groupBy(transactions, ({ status }) => status)].map(([status, own]) => {
    const sizes = own.flatMap((one) => amountInCurrency(one, accountCurrency) ?? [])
    const amount = sizes.length === 0 ? null : sum(sizes).toFixed()
    return { status, entries: own.length, amount, excluded: own.length - sizes.length }
  })
}

function isDisputed({ disputeStatus }: CardAccountTransaction): boolean {
  return openDisputeStatuses.includes(disputeStatus ?? '')
}

/** Null where it is not known which entries are in dispute, or what one of them comes to. */
function disputedSum(transactions: readonly CardAccountTransaction[], accountCurrency: string | null): Amount | null {
  const isUnknown = ({ disputeStatus }: CardAccountTransaction) =>
    disputeStatus !== null && ![...openDisputeStatuses, ...closedDisputes].includes(disputeStatus)
  if (transactions.some(isUnknown)) return null
  const sizes = transactions.filter(isDisputed).map((one) => amountInCurrency(one, accountCurrency))
  return sum(sizes)
}

/** How the interface's figures relate; unknown for an account type that it does not name. */
function expectedAvailable({ accountType, balance, limit }: Figures): Amount | null {
  if (accountType === 'prepaid') return toAmount(balance)
  return accountType === 'credit' ? sum([balance, limit]) : null
}

function checkFigures(account: Figures, disputed: Amount | null) {
  const balance = toAmount(account.balance)
  const owed = balance?.isNegative() ? balance.negated() : amount(0)
  return {
    available: check(account.available, expectedAvailable(account)),
    outstanding: check(account.outstanding, balance && owed),
    disputed: check(account.disputeAmount, disputed),
  }
}

function check(stated: number | null, expected: Amount | null): Check {
  return {
    stated: exactText(stated),
    expected: exactText(expected),
    difference: exactText(sum([stated, expected?.negated()])),
  }
}

/** Posted before pending, what adds before what takes, the larger first. */
function inOrder(one: BalanceLine, other: BalanceLine): number {
  return (
    counting.indexOf(one.status) - counting.indexOf(other.status) ||
    (one.entryType === other.entryType ? 0 : one.entryType === 'DEBIT' ? -1 : 1) ||
    amount(other.amount).abs().comparedTo(amount(one.amount).abs()) ||
    ((one.intent ?? '~') < (other.intent ?? '~') ? -1 : 1)
  )
}

function named(one: CardAccountTransaction): NamedEntry {
  const { id, createdAt, status, amount, currency, entryType, description, intent, disputeStatus, merchant } = one
  const title = description || merchant?.name || ''
  return { id, createdAt, status, amount, currency, entryType, description: title, intent, disputeStatus }
}
