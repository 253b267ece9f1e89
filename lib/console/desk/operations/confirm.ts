import 'server-only'
import { and, eq, inArray } from 'drizzle-orm'
import type { Card } from '#lib/contract/records.ts'
import { canonicalJson } from '#lib/contract/xmetadata-rules.ts'
import { database } from '#lib/db/connection.ts'
import { inTransaction } from '#lib/db/transaction.ts'
import { sameId } from '#lib/shared/ids.ts'
import { amount } from '#lib/shared/money.ts'
import { minuteMs } from '#lib/shared/time.ts'
import { detailOf } from '../../fees/detail.ts'
import { forgetFeeTotals } from '../../fees/totals.ts'
import { fetchIdentity } from '../../identity/rejections.ts'
import { readOnePayout } from '../../payouts/read-one.ts'
import { lookAtWebhooks } from '../../webhooks/look.ts'
import { askService } from '../connections/environments.ts'
import { fetchPages } from '../connections/paginate.ts'
import { logFailure } from '../log.ts'
import { readOneAccount } from '../mirror/account.ts'
import { mirrorCards } from '../mirror/mirror.ts'
import { isRefusal } from '../refusal.ts'
import { operations } from '../tables/operations.ts'
import type { OperationRow } from './journal.ts'
import type { OperationKind } from './kinds.ts'

/**
 * What reading the record back says of an operation. `not-done`: the record is not as the operation wants it. `unreadable`:
 * nothing can be said, because it could not be read or does not show what the operation changes.
 */
export type Confirmation = {
  verdict: 'done' | 'partial' | 'not-done' | 'unreadable'
  /** The target's status now, or the value that the operation sets; null where it is not known. */
  statusAfter: string | null
  /** The id of the record that the operation made. */
  resultId: string | null
  /** For people: what the record shows. Null where the verdict says enough. */
  detail: string | null
  /** The record as read, for the screen that started the operation. */
  record: unknown
}

/** What the service responded to the operation, if it did. `body` is the JSON it sent, whatever its form. */
export type Accepted = { response: unknown; body: unknown; isReadable: boolean; resultId: string | null }

type Fields = Readonly<Record<string, unknown>>

type ConfirmationRow = {
  /** Reads the record and compares it with what the operation wants. `sent` is the body of the request. */
  readBack: (row: OperationRow, sent: Fields, accepted: Accepted | null) => Promise<Confirmation>
  /** Whether the response alone shows that it was done: counts only where the record cannot be read back. */
  isShownBy: (row: OperationRow, sent: Fields, accepted: Accepted) => boolean
  /**
   * Whether sending the same bytes again can do no harm even at a service that ignores idempotency keys. False for what
   * makes a new record: that is looked up, and sent again only to a service that has shown that it honours keys.
   */
  isRepeatable: boolean
}

/** How each kind of operation is verified. */
const confirmations: Record<OperationKind, ConfirmationRow> = {
  'card.lock': cardStatus((status) => status === 'locked'),
  'card.unlock': cardStatus((status) => status === 'active'),
  'card.suspend': cardStatus((status) => status === 'suspended'),
  'card.unsuspend': cardStatus((status) => status === 'active' || status === 'locked'),
  'card.cancel': cardStatus((status) => status === 'cancelled'),
  'card.activate': cardStatus((status) => status === 'active'),
  'card.change-pin': {
    readBack: (row) => readBackCard(row, null),
    // Nothing shows a PIN. The interface does not say what the response is, but it is no page and no text.
    isShownBy: (_row, _sent, { isReadable }) => isReadable,
    isRepeatable: true,
  },
  'fee.waive': {
    readBack: readBackFee,
    isShownBy: (row, _sent, { response }) => isRecord(response, row.targetId) && isWaived(response.status),
    isRepeatable: true,
  },
  'account.set-limit': {
    readBack: readBackLimit,
    isShownBy: (_row, _sent, { body }) => firstOf(body).success === true,
    isRepeatable: true,
  },
  'identity.resubmit': identityStatus(({ status }) => typeof status === 'string' && status !== 'rejected'),
  'identity.simulate': identityStatus(isSimulated),
  'reference.set': {
    readBack: readBackReference,
    isShownBy: (_row, sent, { body }) => Object.values(referenceParts(sent, firstOf(body))).every(Boolean),
    isRepeatable: true,
  },
  'webhook.remove': {
    readBack: readBackRemovedWebhook,
    isShownBy: (row, _sent, { response }) => isRecord(response, row.targetId) && response.status === 'removed',
    isRepeatable: true,
  },
  'webhook.create': { readBack: readBackCreatedWebhook, isShownBy: hasResult, isRepeatable: false },
  'webhook.recreate': { readBack: readBackCreatedWebhook, isShownBy: hasResult, isRepeatable: false },
  'payout.submit': { readBack: readBackPayout, isShownBy: hasResult, isRepeatable: false },
}

/** See `ConfirmationRow.isRepeatable`. A journal may hold kinds that this version does not know. */
export function isRepeatable(kind: string): boolean {
  return Object.hasOwn(confirmations, kind) && confirmations[kind as OperationKind].isRepeatable
}

/** Reads back what an operation was about. Never throws: what cannot be read is `unreadable`. */
export async function confirm(row: OperationRow, sent: Fields, accepted: Accepted | null): Promise<Confirmation> {
  const confirmation = confirmations[row.kind as OperationKind] as ConfirmationRow | undefined
  if (!confirmation) return unreadable(null)
  try {
    const found = await confirmation.readBack(row, sent, accepted)
    const isShown = found.verdict === 'unreadable' && accepted !== null && confirmation.isShownBy(row, sent, accepted)
    return isShown ? { ...found, verdict: 'done', resultId: found.resultId ?? accepted.resultId } : found
  } catch (error) {
    if (!isRefusal(error)) logFailure(error, { while: 'reading back an operation', operation: row.id })
    const isShown = accepted !== null && confirmation.isShownBy(row, sent, accepted)
    return isShown
      ? { ...unreadable(null), verdict: 'done', resultId: accepted.resultId }
      : unreadable(isRefusal(error) ? error.message : null)
  }
}

function unreadable(detail: string | null, record: unknown = null, statusAfter: string | null = null): Confirmation {
  return { verdict: 'unreadable', statusAfter, resultId: null, detail, record }
}

function cardStatus(isWanted: (status: string) => boolean): ConfirmationRow {
  return {
    readBack: (row) => readBackCard(row, isWanted),
    isShownBy: (row, _sent, { response }) =>
      isRecord(response, row.targetId) && typeof response.status === 'string' && isWanted(response.status),
    isRepeatable: true,
  }
}

/** The card as the service has it now, which the mirror learns, with the operation that explains a change of its status. */
async function readBackCard(
  { environment, id, targetId: cardId, targetParentId: cardAccountId }: OperationRow,
  isWanted: ((status: string) => boolean) | null,
): Promise<Confirmation> {
  if (!cardAccountId) return unreadable(null)
  const askedAt = new Date()
  const { answer } = await askService(environment, 'listCards', { query: { cardAccountId, cardId } })
  const card = answer.cards.find((one) => sameId(one.id, cardId))
  if (!card) return unreadable('The card is not in the account’s list.')
  const isDone = isWanted !== null && card.status !== null && isWanted(card.status)
  await inTransaction(database(), (tx) =>
    mirrorCards(tx, environment, cardAccountId, [card], { askedAt, isWhole: false, operationId: isDone ? id : null }),
  )
  return cardConfirmation(card, isWanted === null ? null : isDone)
}

function cardConfirmation(card: Card, isDone: boolean | null): Confirmation {
  if (isDone === null || card.status === null) return unreadable(null, card, card.status)
  return {
    verdict: isDone ? 'done' : 'not-done',
    statusAfter: card.status,
    resultId: null,
    detail: isDone ? null : `The card is ${card.status}.`,
    record: card,
  }
}

/** Fee and account are two readings of the service: the balance after a waiver is never computed. */
async function readBackFee({ environment, targetId }: OperationRow): Promise<Confirmation> {
  forgetFeeTotals(environment)
  const record = await detailOf(environment, targetId)
  const { status } = record.fee
  if (status === null) return unreadable(null, record)
  const isDone = isWaived(status)
  const detail = isDone ? null : `The fee is still ${status}.`
  return { verdict: isDone ? 'done' : 'not-done', statusAfter: status, resultId: null, detail, record }
}

/** The interface does not say which status a waived fee has: `void`, or another one than those of a fee that is charged. */
function isWaived(status: unknown): boolean {
  return typeof status === 'string' && status !== 'posted' && status !== 'pending'
}

async function readBackLimit({ environment, targetId }: OperationRow, sent: Fields): Promise<Confirmation> {
  const { account } = await readOneAccount(environment, targetId)
  if (account.limit === null || typeof sent.limit !== 'number') {
    return unreadable('The service does not report the limit of this account.', account)
  }
  const isDone = amount(account.limit).eq(sent.limit)
  const limit = `${amount(account.limit).toFixed()} ${account.currency ?? ''}`.trim()
  return {
    verdict: isDone ? 'done' : 'not-done',
    statusAfter: amount(account.limit).toFixed(),
    resultId: null,
    detail: isDone ? null : `The limit is ${limit}.`,
    record: account,
  }
}

function identityStatus(isWanted: (identity: Fields, sent: Fields) => boolean): ConfirmationRow {
  return {
    readBack: ({ environment, targetId }, sent) =>
      readBackIdentity(environment, targetId, (one) => isWanted(one, sent)),
    isShownBy: ({ targetId }, sent, { response }) => {
      const identity = firstOf(response)
      return sameId(String(identity.cardAccountId), targetId) && isWanted(identity, sent)
    },
    isRepeatable: true,
  }
}

/** The account is read before the identity, whose reason is stored with it. */
async function readBackIdentity(
  environment: OperationRow['environment'],
  cardAccountId: string,
  isWanted: (identity: Fields) => boolean,
): Promise<Confirmation> {
  await readOneAccount(environment, cardAccountId)
  const { identity } = await fetchIdentity(environment, cardAccountId)
  const { status } = identity
  if (status === null) return unreadable('The service does not report the status of this identity.', identity)
  const isDone = isWanted(identity)
  return {
    verdict: isDone ? 'done' : 'not-done',
    statusAfter: status,
    resultId: null,
    detail: isDone ? null : `The identity is ${status}.`,
    record: identity,
  }
}

/** A service may not report the reason; one that does reports that which was sent. */
function isSimulated({ status, rejectedReason }: Fields, { action, rejectedReason: sent }: Fields): boolean {
  if (action === 'approve') return status === 'approved'
  return status === 'rejected' && (typeof sent !== 'string' || rejectedReason === null || rejectedReason === sent)
}

async function readBackReference(row: OperationRow, sent: Fields): Promise<Confirmation> {
  const record = await referencedRecord(row)
  if (!record) return unreadable(null)
  const parts = referenceParts(sent, record)
  const done = Object.values(parts).filter(Boolean).length
  const all = Object.keys(parts).length
  const missing = parts.xid === false ? 'The external ID was not changed.' : 'The metadata was not changed.'
  return {
    verdict: done === all ? 'done' : done === 0 ? 'not-done' : 'partial',
    statusAfter: null,
    resultId: null,
    detail: done === all ? null : done === 0 ? 'Neither value was changed.' : missing,
    record,
  }
}

/** Of the values that were sent, whether the record has them. */
function referenceParts(sent: Fields, record: Fields): { xid?: boolean; xmetadata?: boolean } {
  const isSame = (name: 'xid' | 'xmetadata') =>
    canonicalJson(sent[name] ?? null) === canonicalJson(record[name] ?? null)
  return {
    ...('xid' in sent ? { xid: isSame('xid') } : {}),
    ...('xmetadata' in sent ? { xmetadata: isSame('xmetadata') } : {}),
  }
}

async function referencedRecord(row: OperationRow): Promise<Fields | null> {
  const { environment, targetType, targetId } = row
  if (targetType === 'cardaccount') return (await readOneAccount(environment, targetId)).account
  if (targetType === 'payout') return (await readOnePayout(environment, targetId)).payout
  const { record } = await readBackCard(row, null)
  return record as Fields | null
}

async function readBackRemovedWebhook({ environment, targetId }: OperationRow): Promise<Confirmation> {
  await lookAtWebhooks(environment, 0)
  const { answer } = await askService(environment, 'listWebhooks', {})
  const webhook = answer.webhooks.find(({ id }) => sameId(id, targetId))
  const isDone = !webhook || webhook.status === 'removed'
  return {
    verdict: isDone ? 'done' : 'not-done',
    statusAfter: isDone ? 'removed' : webhook.status,
    resultId: null,
    detail: isDone ? null : 'The webhook is still listed.',
    record: webhook ?? null,
  }
}

/** A webhook of the same URL that was not there before the operation. */
async function readBackCreatedWebhook(
  { environment, id, expected }: OperationRow,
  sent: Fields,
  accepted: Accepted | null,
): Promise<Confirmation> {
  await lookAtWebhooks(environment, 0)
  const { answer } = await askService(environment, 'listWebhooks', {})
  const known = new Set([...(await resultsOfOthers(environment, id)), ...(expected?.idsBefore ?? '').split(' ')])
  const made = answer.webhooks.find((webhook) =>
    accepted?.resultId ? sameId(webhook.id, accepted.resultId) : webhook.url === sent.url && !known.has(webhook.id),
  )
  if (!made) return notDone('The webhook is not listed.')
  const events = Array.isArray(sent.events) ? sent.events : []
  const missing = made.events === null ? [] : events.filter((event) => !made.events?.includes(String(event)))
  return {
    verdict: missing.length === 0 ? 'done' : 'partial',
    statusAfter: made.status,
    resultId: made.id,
    detail: missing.length === 0 ? null : `The webhook was created without ${missing.join(', ')}.`,
    record: made,
  }
}

const lookupPages = 5
/** A quote lives for a minute or a few: a payout created this long before its expiry comes from another quote. */
const lookupSlackMs = 10 * minuteMs

/** The payout that the response names, or the only one of the funding account that can have come from this quote. */
async function readBackPayout(row: OperationRow, sent: Fields, accepted: Accepted | null): Promise<Confirmation> {
  const { environment, id, expected } = row
  if (accepted?.resultId) {
    const found = await readOnePayout(environment, accepted.resultId).catch((error: unknown) => {
      // A response with an id does not show that the payout exists.
      if (isRefusal(error) && error.code === 'PAYOUT_NOT_FOUND') return null
      throw error
    })
    if (!found) return notDone('The service lists no such payout.')
    return payoutConfirmation(found.payout.id, found.payout.status, found.payout)
  }
  if (!expected) return unreadable(null)
  const known = await resultsOfOthers(environment, id)
  const matches = new Map<string, string | null>()
  let isWhole = true
  const query = { accountId: expected.accountId }
  for await (const page of fetchPages(environment, 'listPayouts', query, { maximumPages: lookupPages })) {
    isWhole &&= page.excluded === 0
    for (const payout of page.response.payouts) {
      const match = matchOf(payout, sent, expected)
      if (match === 'possible') isWhole = false
      if (match === 'yes' && !known.has(payout.id)) matches.set(payout.id, payout.status)
    }
    const oldest = page.response.payouts.at(-1)?.created
    if (oldest && Date.parse(oldest) < earliestOf(expected)) break
    isWhole &&= page.hasMore === 'next' || page.hasMore === 'no'
  }
  const [match] = matches
  if (match && matches.size === 1) {
    const [payoutId, status] = match
    return payoutConfirmation(payoutId, status, (await readOnePayout(environment, payoutId)).payout)
  }
  if (match || !isWhole) return unreadable('More than one payout may be this one.')
  return notDone('The service lists no such payout.')
}

type ExpectedPayout = NonNullable<OperationRow['expected']>
type ListedPayout = Fields & { created: string | null; xid: string | null }

/** Whether a listed payout came from the quote. `possible`: the service does not provide what would tell. */
function matchOf(payout: ListedPayout, sent: Fields, expected: ExpectedPayout): 'yes' | 'no' | 'possible' {
  if (typeof payout.quoteId === 'string') return sameId(payout.quoteId, String(sent.quoteId)) ? 'yes' : 'no'
  if (typeof sent.xid === 'string' && payout.xid !== null) return payout.xid === sent.xid ? 'yes' : 'no'
  if (payout.created !== null && Date.parse(payout.created) < earliestOf(expected)) return 'no'
  if (!isSameDestination(payout.destination, sent.destination)) return 'no'
  const facts = [
    ['accountId', (value: unknown) => sameId(String(value), expected.accountId)],
    ['sourceAmount', (value: unknown) => isAmount(value, expected.sourceAmount)],
    ['destinationAmount', (value: unknown) => isAmount(value, expected.destinationAmount)],
    ['sourceCurrency', (value: unknown) => value === expected.sourceCurrency],
    ['destinationCurrency', (value: unknown) => value === expected.destinationCurrency],
  ] as const
  if (facts.some(([name, agrees]) => payout[name] !== null && !agrees(payout[name]))) return 'no'
  return payout.created === null || facts.some(([name]) => payout[name] === null) ? 'possible' : 'yes'
}

/** By the last four digits, which is all that some services return; true where one of the two has none. */
function isSameDestination(listed: unknown, sent: unknown): boolean {
  const [one, other] = [listed, sent].map((value) => String(firstOf(value).accountNumber ?? '').replaceAll(/\D/g, ''))
  return !one || !other || one.slice(-4) === other.slice(-4)
}

function isAmount(value: unknown, expected: string | undefined): boolean {
  return typeof value === 'number' && expected !== undefined && amount(value).eq(expected)
}

/** Both times are of the service's clock. */
function earliestOf({ expiresAt }: ExpectedPayout): number {
  return Date.parse(expiresAt ?? '') - lookupSlackMs
}

function payoutConfirmation(resultId: string, status: string | null, record: unknown): Confirmation {
  return { verdict: 'done', statusAfter: status, resultId, detail: null, record }
}

function notDone(detail: string): Confirmation {
  return { verdict: 'not-done', statusAfter: null, resultId: null, detail, record: null }
}

/** Ids of the records that other operations made. */
async function resultsOfOthers(environment: OperationRow['environment'], id: string): Promise<ReadonlySet<string>> {
  const rows = await database()
    .select({ id: operations.id, resultId: operations.resultId })
    .from(operations)
    .where(
      and(
        eq(operations.environment, environment),
        inArray(operations.kind, ['payout.submit', 'webhook.create', 'webhook.recreate']),
      ),
    )
  return new Set(rows.flatMap((row) => (row.id === id || row.resultId === null ? [] : [row.resultId])))
}

function hasResult(_row: OperationRow, _sent: Fields, { resultId }: Accepted): boolean {
  return resultId !== null
}

function isRecord(response: unknown, id: string): response is Fields {
  const fields = firstOf(response)
  return typeof fields.id === 'string' && sameId(fields.id, id)
}

/** The object itself, or the only one of a list. */
function firstOf(value: unknown): Fields {
  const first: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value
  return typeof first === 'object' && first !== null && !Array.isArray(first) ? (first as Fields) : {}
}

/** The error of a 2xx that says `success: false`, as a batch endpoint does; null where the response says no such thing. */
export function refusalIn(body: unknown): { code: string | null; message: string } | null {
  const fields = firstOf(body)
  if (fields.success !== false) return null
  const { error, message, code } = fields
  const text = [error, message, firstOf(error).message].find((value) => typeof value === 'string' && value !== '')
  return { code: typeof code === 'string' ? code : null, message: String(text ?? 'The service gave no reason.') }
}
