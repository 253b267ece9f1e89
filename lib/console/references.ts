import 'server-only'
import { and, eq } from 'drizzle-orm'
import { z } from 'zod'
import type { Xmetadata } from '#lib/contract/fields.ts'
import { canonicalJson, longestXmetadata, referenceBody, referenceProblems } from '#lib/contract/xmetadata-rules.ts'
import { xmetadataTargetTypes, type XmetadataTargetType } from '#lib/contract/xmetadata.ts'
import { database } from '#lib/db/connection.ts'
import { inTransaction } from '#lib/db/transaction.ts'
import { sameId } from '#lib/shared/ids.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { sha256Hex } from '#lib/signing/digest.ts'
import { askService, requireService } from './desk/connections/environments.ts'
import { healthOf } from './desk/connections/health-record.ts'
import type { Seen } from './desk/connections/health.ts'
import { hasId } from './desk/id-condition.ts'
import { readOneAccount } from './desk/mirror/account.ts'
import { mirrorCards } from './desk/mirror/mirror.ts'
import { act, ActionInput, type ActionRequest, type ActionResult } from './desk/operations/act.ts'
import { findOperation } from './desk/operations/journal.ts'
import { parseInput, ServiceId } from './desk/parse.ts'
import type { Permission } from './desk/permissions.ts'
import { Refusal } from './desk/refusal.ts'
import { requirePermission } from './desk/session/session.ts'
import { directoryCards } from './desk/tables/directory.ts'
import type { Target } from './desk/target.ts'
import { readOnePayout } from './payouts/read-one.ts'

/** The references of a record as the service has them. `revision` differs whenever one of them does. */
export type Reference = { xid: string | null; xmetadata: Xmetadata | null; revision: string }
export type ReferenceDetail = Reference & { seen: Seen }

const FieldChange = z.discriminatedUnion(
  'mode',
  [
    z.object({ mode: z.literal('keep') }),
    z.object({ mode: z.literal('remove') }),
    z.object({ mode: z.literal('replace'), text: z.string('must be text').max(2 * longestXmetadata) }),
  ],
  'must be kept, replaced or removed',
)

const SetReference = ActionInput.extend({
  targetType: z.enum(xmetadataTargetTypes, `must be one of ${xmetadataTargetTypes.join(', ')}`),
  targetId: ServiceId,
  xid: FieldChange,
  xmetadata: FieldChange,
  /** Of what the person saw: where it is another one by now, nothing is sent. */
  revision: z.string('must be text').regex(/^[0-9a-f]{64}$/, 'must be the one that was read'),
})
export type SetReferenceInput = z.input<typeof SetReference>
type ParsedInput = z.output<typeof SetReference>

/** `reference` is what is there now, as read afterwards; null where it could not be read. */
export type SetReferenceResult = ActionResult<{ reference: Reference | null }>

type Found = { record: { xid: string | null; xmetadata: Xmetadata | null }; target: Target; askedAt: Date }

const readers: Record<
  XmetadataTargetType,
  { permission: Permission; read: (environment: Environment, id: string) => Promise<Found> }
> = {
  cardaccount: { permission: 'accounts.read', read: readAccountRecord },
  card: { permission: 'accounts.read', read: readCardRecord },
  payout: { permission: 'payouts.read', read: readPayoutRecord },
}

/** What the service has now, for whoever is about to change it. Throws the not-found code of its type. */
export async function readReference(environment: Environment, type: string, id: string): Promise<ReferenceDetail> {
  const targetType = xmetadataTargetTypes.find((known) => known === type)
  await requirePermission(readers[targetType ?? 'cardaccount'].permission, environment)
  requireService(environment)
  const targetId = parseInput(ServiceId, id)
  if (!targetType) throw new Refusal('INVALID_PARAMETERS', `type must be one of ${xmetadataTargetTypes.join(', ')}`)
  const { record, askedAt } = await readers[targetType].read(environment, targetId)
  const seen: Seen = { asOf: askedAt.toISOString(), source: 'service', health: await healthOf(environment) }
  return { ...referenceOf(record), seen }
}

/** Keeps, replaces or removes xid and xmetadata, each by itself. Refused where they changed since they were read. */
export function setReference(input: SetReferenceInput): Promise<SetReferenceResult> {
  return act(
    {
      kind: 'reference.set',
      permission: 'references.edit',
      input: SetReference,
      about: (idIn) => {
        const id = idIn('targetId')
        return id ? { type: typeIn(input), id, parentId: null, label: null } : null
      },
      prepare,
    },
    input,
    (record) => ({ reference: record === null ? null : referenceOf(record as Found['record']) }),
  )
}

async function prepare(input: ParsedInput): Promise<ActionRequest | { fields: Record<string, string> }> {
  const { environment, targetType, targetId, xid, xmetadata, revision } = input
  const change = { xid, xmetadata }
  const fields = referenceProblems(change)
  if (Object.keys(fields).length > 0) return { fields }
  const request = (target: Target): ActionRequest => ({
    target,
    endpoint: 'setXmetadata',
    body: referenceBody({ type: targetType, id: targetId }, change),
  })
  const before = await targetOfOperation(input)
  if (before) return request(before)
  const { record, target } = await readers[targetType].read(environment, targetId)
  if (referenceOf(record).revision === revision) return request(target)
  // The same press, sent twice: the first of the two may have made the change that this one finds.
  const meanwhile = await targetOfOperation(input)
  return meanwhile ? request(meanwhile) : { fields: { revision: 'is not what the service has now' } }
}

/** An operation that was begun before is not judged again: what it finds may be its own effect, or it may find nothing. */
async function targetOfOperation({ operationId }: ParsedInput): Promise<Target | null> {
  const row = await findOperation(database(), operationId)
  return row && { type: row.targetType, id: row.targetId, parentId: row.targetParentId, label: row.targetLabel }
}

function referenceOf({ xid, xmetadata }: Found['record']): Reference {
  return {
    xid: xid ?? null,
    xmetadata: xmetadata ?? null,
    revision: sha256Hex(canonicalJson([xid ?? null, xmetadata ?? null])),
  }
}

async function readAccountRecord(environment: Environment, id: string): Promise<Found> {
  const { account, askedAt } = await readOneAccount(environment, id)
  return { record: account, askedAt, target: { type: 'cardaccount', id, parentId: null, label: account.name } }
}

/** The interface reads cards of an account alone; which account it is stands in the mirror. */
async function readCardRecord(environment: Environment, id: string): Promise<Found> {
  const db = database()
  const [known] = await db
    .select({ cardAccountId: directoryCards.cardAccountId })
    .from(directoryCards)
    .where(and(eq(directoryCards.environment, environment), hasId(directoryCards.id, [id])))
  if (!known) throw new Refusal('CARD_NOT_FOUND', 'The console has not read such a card in this environment.')
  const { cardAccountId } = known
  const { answer, askedAt } = await askService(environment, 'listCards', { query: { cardAccountId, cardId: id } })
  const card = answer.cards.find((one) => sameId(one.id, id))
  if (!card) throw new Refusal('CARD_NOT_FOUND', 'There is no such card in this environment.')
  await inTransaction(db, (tx) => mirrorCards(tx, environment, cardAccountId, [card], { askedAt, isWhole: false }))
  const label = card.last4 === null ? null : `card ending ${card.last4}`
  return { record: card, askedAt, target: { type: 'card', id, parentId: cardAccountId, label } }
}

async function readPayoutRecord(environment: Environment, id: string): Promise<Found> {
  const { payout, askedAt } = await readOnePayout(environment, id)
  return { record: payout, askedAt, target: { type: 'payout', id, parentId: null, label: null } }
}

function typeIn(input: { targetType?: unknown }): string {
  return xmetadataTargetTypes.find((type) => type === input.targetType) ?? 'cardaccount'
}
