import { rejectionReasons } from '#lib/contract/terms.ts'
import { forwardDescription, keptCards, keptEntries } from './account.ts'
import { cardLimitNames, chooseCardType, isExpired } from './cards.ts'
import type { AccountCase, Case, PayoutCase } from './case.ts'
import { named } from './entry.ts'
import { merchantText, personalCheck, type PersonalCheck } from './personal.ts'

/** State of a record as lines for people, without personal data. Records in the same state have equal lines. */
export type CaseState = Readonly<Record<string, readonly string[]>>

/**
 * The state of a case. Of one that is about a transaction: of that, what belongs to it, and their cards. A reproduction of that is read
 * as a whole account, which `isPart` says.
 */
export function caseState(
  original: Case,
  isPart = original.kind === 'account' && original.transactionId !== null,
): CaseState {
  const isPersonal = personalCheck(original)
  return original.kind === 'payout' ? payoutState(original, isPersonal) : accountState(original, isPersonal, isPart)
}

type Values = Readonly<Record<string, string | number | boolean | null | undefined>>

function line(values: Values): string {
  return Object.entries(values)
    .map(([name, value]) => `${name} ${value ?? 'none'}`)
    .join(', ')
}

function accountState(original: AccountCase, isPersonal: PersonalCheck, isPart: boolean): CaseState {
  const { account, identity, fees, now } = original
  const entries = keptEntries(original, Infinity).filter((entry) => entry.description !== forwardDescription)
  const cards = keptCards(original, entries)
  const places = new Map(cards.map(({ id }, index) => [id, index + 1]))
  const kept = new Set(entries.map(({ id }) => id))
  const code = codeIn(isPersonal)
  const reason = identity?.rejectedReason ?? null
  const { accountType, currency, limit, balance, disputeAmount, clientIdentityStatus } = account
  return {
    account: [
      line({
        accountType: code(accountType),
        currency: code(currency),
        limit,
        hasXid: account.xid !== null,
        metadata: describeForm(account.xmetadata),
      }),
      line({ balance, ...(isPart ? {} : { disputeAmount }) }),
      line({
        identity: code(clientIdentityStatus),
        reason: reason && (rejectionReasons.find((one) => one === reason) ?? 'another one'),
      }),
    ],
    cards: cards.map((card) =>
      line({
        status: code(card.status),
        type: chooseCardType(card),
        isExpired: isExpired(card, now),
        replacedBy: card.replacedBy === null ? null : (places.get(card.replacedBy) ?? 'another card'),
        ...Object.fromEntries(cardLimitNames.map((name) => [name, card[name]])),
      }),
    ),
    transactions: entries
      .map((entry) =>
        line({
          intent: code(entry.intent),
          status: code(entry.status),
          amount: entry.amount,
          gross: entry.grossAmount,
          direction: code(entry.entryType),
          card: entry.cardId === null ? null : (places.get(entry.cardId) ?? 'another card'),
          dispute: code(entry.disputeStatus),
          authorized: entry.authorization && `${entry.authorization.amount} ${shortCode(entry.authorization.currency)}`,
          type: code(entry.authorization?.type ?? null),
          response: shortCode(entry.authorization?.responseCode),
          cardPresent: entry.authorization?.cardPresent,
          merchant: entry.merchant && (merchantText(entry.merchant.name, isPersonal) ?? 'Merchant'),
          category: shortCode(entry.merchant?.mcc),
          country: shortCode(entry.merchant?.country),
        }),
      )
      .toSorted(),
    fees: fees
      .filter(({ transaction }) => typeof transaction?.id === 'string' && kept.has(transaction.id))
      .map(({ intent, status, amount, currency: of }) =>
        line({ intent: code(intent), status: code(status), amount, currency: code(of) }),
      )
      .toSorted(),
  }
}

/** A response, category or country code; null for any other text. */
function shortCode(text: string | null | undefined): string | null {
  return typeof text === 'string' && /^[0-9A-Z]{2,4}$/.test(text) ? text : null
}

/** The form of metadata, whose values are invented. */
function describeForm(xmetadata: unknown): string {
  if (xmetadata === null) return 'none'
  if (Array.isArray(xmetadata)) return `a list of ${xmetadata.length}`
  return typeof xmetadata === 'object' ? `a map of ${Object.keys(xmetadata).length}` : 'a text'
}

/** Shows a code of the interface, and null as it is. */
function codeIn(isPersonal: PersonalCheck): (text: string | null) => string | null {
  return (text) => (text === null ? null : named(text, isPersonal))
}

function payoutState({ payout }: PayoutCase, isPersonal: PersonalCheck): CaseState {
  const { method, status, subStatus, sourceCurrency, sourceAmount, destinationCurrency, destination, xid } = payout
  const code = codeIn(isPersonal)
  const country = shortCode(destination?.country)
  return {
    payout: [
      line({ status: code(status), subStatus: code(subStatus), method: code(method), country }),
      line({ from: code(sourceCurrency), sourceAmount, to: code(destinationCurrency), hasXid: xid !== null }),
    ],
  }
}

/** Differences of a reproduction from the original: a line for each missing and each additional one. */
export function stateDifferences(original: CaseState, reproduced: CaseState): string[] {
  return Object.keys({ ...original, ...reproduced }).flatMap((part) => {
    const [before, after] = [original[part] ?? [], reproduced[part] ?? []]
    const found = (lines: readonly string[], others: readonly string[], what: string) =>
      without(lines, others).map((one) => `${part}: ${what} ${one}`)
    return [...found(before, after, 'missing:'), ...found(after, before, 'not in the original:')]
  })
}

/** The lines that the others don't have, as often as they are missing. */
function without(lines: readonly string[], others: readonly string[]): string[] {
  const left = [...others]
  return lines.filter((one) => {
    const at = left.indexOf(one)
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
}
