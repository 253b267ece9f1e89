import 'server-only'
import { and, eq } from 'drizzle-orm'
import type { Target } from '#lib/audit/types.ts'
import type { Xmetadata } from '#lib/contract/fields.ts'
import { type XmetadataTargetType, xmetadataTargetTypes } from '#lib/contract/xmetadata.ts'
import { database } from '#lib/db/connection.ts'
import { inTransaction } from '#lib/db/transaction.ts'
import { callService, requireService } from '#lib/environments/environments.ts'
import { readFreshness } from '#lib/environments/health.ts'
import type { Freshness } from '#lib/environments/types.ts'
import { readOneAccount } from '#lib/index/account.ts'
import { hasId } from '#lib/index/conditions.ts'
import { indexCards } from '#lib/index/index-cards.ts'
import { accountTarget } from '#lib/operations/spec.ts'
import { AppError } from '#lib/shared/app-error.ts'
import { findById } from '#lib/shared/ids.ts'
import { canonicalJson } from '#lib/shared/json.ts'
import { parseInput, ServiceId } from '#lib/shared/parse.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { sha256Hex } from '#lib/signing/digest.ts'
import { indexedCards } from '#lib/tables/card-accounts.ts'
import { cardTarget } from '../cards/operations.ts'
import { readOnePayout } from '../payouts/index-payouts.ts'
import type { Reference } from './types.ts'

type ReferenceDetail = Reference & { freshness: Freshness }

export type ReferencedRecord = { xid: string | null; xmetadata: Xmetadata | null }
type Found = { record: ReferencedRecord; target: Target; fetchedAt: Date }

/** How each type of record is read. */
export const referenceReaders: Record<XmetadataTargetType, (environment: Environment, id: string) => Promise<Found>> = {
  cardaccount: readAccountRecord,
  card: readCardRecord,
  payout: readPayoutRecord,
}

/** The service's present values, before they are changed. Throws the not-found code of its type. */
export async function readReference(environment: Environment, type: string, id: string): Promise<ReferenceDetail> {
  const targetType = xmetadataTargetTypes.find((known) => known === type)
  requireService(environment)
  const targetId = parseInput(ServiceId, id)
  if (!targetType) throw new AppError('INVALID_PARAMETERS', `type must be one of ${xmetadataTargetTypes.join(', ')}`)
  const { record, fetchedAt } = await referenceReaders[targetType](environment, targetId)
  const freshness: Freshness = await readFreshness(environment, fetchedAt)
  return { ...toReference(record), freshness }
}

export function toReference({ xid, xmetadata }: ReferencedRecord): Reference {
  return {
    xid,
    xmetadata,
    revision: sha256Hex(canonicalJson([xid, xmetadata])),
  }
}

/** The digest of a record's metadata, by which a later change is noticed. Absent metadata counts as metadata without keys. */
export function xmetadataRevision(xmetadata: unknown): string {
  return sha256Hex(canonicalJson(xmetadata ?? {}))
}

async function readAccountRecord(environment: Environment, id: string): Promise<Found> {
  const { account, fetchedAt } = await readOneAccount(environment, id)
  return { record: account, fetchedAt, target: accountTarget(id, account.name) }
}

/** The interface reads cards only by account; the index knows which account it is. */
async function readCardRecord(environment: Environment, id: string): Promise<Found> {
  const db = database()
  const [indexed] = await db
    .select({ cardAccountId: indexedCards.cardAccountId })
    .from(indexedCards)
    .where(and(eq(indexedCards.environment, environment), hasId(indexedCards.id, [id])))
  if (!indexed) throw new AppError('CARD_NOT_FOUND', 'The console has not read such a card in this environment.')
  const { cardAccountId } = indexed
  const { response, fetchedAt } = await callService(environment, 'listCards', { query: { cardAccountId, cardId: id } })
  const card = findById(response.cards, id)
  if (!card) throw new AppError('CARD_NOT_FOUND', 'There is no such card in this environment.')
  await inTransaction(db, (tx) => indexCards(tx, environment, cardAccountId, [card], { fetchedAt, isWhole: false }))
  return { record: card, fetchedAt, target: cardTarget(cardAccountId, id, card) }
}

async function readPayoutRecord(environment: Environment, id: string): Promise<Found> {
  const { payout, fetchedAt } = await readOnePayout(environment, id)
  return { record: payout, fetchedAt, target: { type: 'payout', id, parentId: null, label: null } }
}
