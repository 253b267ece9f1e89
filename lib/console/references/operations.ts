import 'server-only'
import { z } from 'zod'
import { oneOf } from '#lib/contract/fields.ts'
import { longestXmetadata, referenceBody, referenceProblems } from '#lib/contract/xmetadata-rules.ts'
import { type XmetadataTargetType, xmetadataTargetTypes } from '#lib/contract/xmetadata.ts'
import type { Fields } from '#lib/gate/action.ts'
import { readOneAccount } from '#lib/index/account.ts'
import type { Change } from '#lib/live/types.ts'
import type { OperationRow } from '#lib/operations/journal.ts'
import { OperationInput, operationSpec, unreadable } from '#lib/operations/spec.ts'
import { canonicalJson, firstFields } from '#lib/shared/json.ts'
import { ServiceId } from '#lib/shared/parse.ts'
import { readBackCard } from '../cards/operations.ts'
import { readOnePayout } from '../payouts/index-payouts.ts'
import { type ReferencedRecord, toReference, referenceReaders, xmetadataRevision } from './detail.ts'

const FieldChange = z.discriminatedUnion(
  'mode',
  [
    z.object({ mode: z.literal('keep') }),
    z.object({ mode: z.literal('remove') }),
    z.object({ mode: z.literal('replace'), text: z.string('must be text').max(2 * longestXmetadata) }),
  ],
  'must be left as it is, replaced or removed',
)

const SetReference = OperationInput.extend({
  targetType: oneOf(xmetadataTargetTypes),
  targetId: ServiceId,
  xid: FieldChange,
  xmetadata: FieldChange,
  /** The digest of the values on the screen: if they have changed, nothing is sent. */
  revision: z.string('must be text').regex(/^[0-9a-f]{64}$/, 'must be the one that was read'),
})

export const referenceOperations = {
  /** Leaves, replaces or removes xid and xmetadata independently. Refused where they changed since they were read. */
  'reference.set': operationSpec({
    endpoint: 'setXmetadata',
    input: SetReference,
    target(idIn, input) {
      const id = idIn('targetId')
      const type = parseTargetType(input.targetType)
      return id ? { type, id, parentId: null, label: null } : null
    },
    request({ targetType, targetId, xid, xmetadata }) {
      const change = { xid, xmetadata }
      const fields = referenceProblems(change)
      if (Object.keys(fields).length > 0) return { fields }
      return {
        target: { type: targetType, id: targetId, parentId: null, label: null },
        body: referenceBody({ type: targetType, id: targetId }, change),
      }
    },
    async check({ environment, targetType, targetId, revision }) {
      const { record, target } = await referenceReaders[targetType](environment, targetId)
      if (toReference(record).revision !== revision)
        return { fields: { revision: 'is not what the card service has now' } }
      return { target }
    },
    inJob: {
      async check({ environment, target, body, facts: { revision } }) {
        const { record } = await referenceReaders[parseTargetType(target.type)](environment, target.id)
        const found = xmetadataRevision(record.xmetadata)
        return found === revision || found === xmetadataRevision(body.xmetadata)
          ? null
          : { text: 'The metadata was changed meanwhile.' }
      },
    },
    async readBack(row, sent) {
      const found = await readReferencedRecord(row)
      if (!found) return unreadable(null)
      const record = toReference(found)
      const parts = referenceParts(sent, found)
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
    },
    isShownBy: (_row, sent, { body }) => Object.values(referenceParts(sent, firstFields(body))).every(Boolean),
    changes: ({ targetType, targetId, targetParentId }) => listChanges(targetType, targetId, targetParentId),
    fieldsOfError: ({ code }): Record<string, string> => {
      return code === 'XID_ALREADY_EXISTS' ? { xid: 'is in use already: another record has it' } : {}
    },
  }),
}

function parseTargetType(type: unknown): XmetadataTargetType {
  return xmetadataTargetTypes.find((known) => known === type) ?? 'cardaccount'
}

/** Whether the record has the values that were sent. */
function referenceParts(sent: Fields, record: Fields): { xid?: boolean; xmetadata?: boolean } {
  const isSame = (name: 'xid' | 'xmetadata') =>
    canonicalJson(sent[name] ?? null) === canonicalJson(record[name] ?? null)
  return {
    ...('xid' in sent ? { xid: isSame('xid') } : {}),
    ...('xmetadata' in sent ? { xmetadata: isSame('xmetadata') } : {}),
  }
}

async function readReferencedRecord(row: OperationRow): Promise<ReferencedRecord | null> {
  const { environment, targetType, targetId } = row
  if (targetType === 'cardaccount') return (await readOneAccount(environment, targetId)).account
  if (targetType === 'payout') return (await readOnePayout(environment, targetId)).payout
  return (await readBackCard(row, null)).record
}

/** References show on the record, and a card's and an account's in the lists of accounts. */
function listChanges(type: string, id: string, parentId: string | null): Change[] {
  if (type === 'payout') return [{ type: 'payouts' }, { type: 'funding-accounts' }]
  if (type === 'cardaccount') return [{ type: 'cardaccount', id }]
  if (!parentId) return []
  return [
    { type: 'card', id, cardAccountId: parentId },
    { type: 'cardaccount', id: parentId },
  ]
}
