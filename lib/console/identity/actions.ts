import 'server-only'
import { z } from 'zod'
import { Individual, rejectionReasons } from '#lib/contract/client-identity.ts'
import type { ClientIdentity } from '#lib/contract/records.ts'
import { database } from '#lib/db/connection.ts'
import { readOneAccount } from '../desk/mirror/account.ts'
import { act, ActionInput, type ActionRequest, type ActionResult, type IdField } from '../desk/operations/act.ts'
import { findOperation, targetOf } from '../desk/operations/journal.ts'
import { plainText, ServiceId } from '../desk/parse.ts'
import { isRefusal } from '../desk/refusal.ts'
import type { Target } from '../desk/target.ts'

/** `identity` is the client identity as read afterwards; null where it could not be read. */
export type IdentityActionResult = ActionResult<{ identity: ClientIdentity | null }>

/** Decision of the built-in service: a request has at most 1 MB, of which the files' base64 is the most. */
const longestDocuments = 950_000

const Resubmission = ActionInput.extend({
  cardAccountId: ServiceId,
  individual: Individual.refine(
    ({ supportingDocuments = [] }) =>
      supportingDocuments.reduce((length, { file }) => length + file.length, 0) <= longestDocuments,
    { path: ['supportingDocuments'], message: 'must have at most 700 KB together' },
  ),
})
export type ResubmitIdentityInput = z.input<typeof Resubmission>

const Simulation = ActionInput.extend({
  cardAccountId: ServiceId,
  decision: z.enum(['approve', 'reject'], 'must be approve or reject'),
  rejectedReason: z.enum(rejectionReasons, 'must be a reason of the interface').optional(),
  rejectionAdditionalInfo: plainText(1000).optional(),
})
export type SimulateIdentityInput = z.input<typeof Simulation>

/** Submits the individual of a rejected identity again. */
export function resubmitIdentity(input: ResubmitIdentityInput): Promise<IdentityActionResult> {
  return act(
    {
      kind: 'identity.resubmit',
      permission: 'identity.manage',
      input: Resubmission,
      about,
      prepare: async ({ environment, operationId, cardAccountId, individual }) => {
        const found = await targetOfAction(environment, operationId, cardAccountId)
        // A retry finds the identity as its own first request may have left it.
        if (!found.isRetry && found.status !== null && found.status !== 'rejected') {
          return { fields: { status: `is ${found.status}: only a rejected identity can be resubmitted` } }
        }
        return {
          target: found.target,
          endpoint: 'resubmitClientIdentity',
          statusBefore: found.status,
          body: { cardAccountId, individual },
          // The body has the individual's documents: it is erased once the outcome is known.
          holdsSecret: true,
        }
      },
    },
    input,
    (record) => ({ identity: record as ClientIdentity | null }),
  )
}

/** Has the sandbox decide an identity, with the same events as a manual review. */
export function simulateIdentity(input: SimulateIdentityInput): Promise<IdentityActionResult> {
  return act(
    {
      kind: 'identity.simulate',
      permission: 'sandbox.simulate',
      input: Simulation,
      about,
      prepare: async (parsed): Promise<ActionRequest> => {
        const { environment, operationId, cardAccountId, decision, rejectedReason, rejectionAdditionalInfo } = parsed
        const { target, status } = await targetOfAction(environment, operationId, cardAccountId)
        const rejection = {
          ...(rejectedReason === undefined ? {} : { rejectedReason }),
          ...(rejectionAdditionalInfo ? { rejectionAdditionalInfo } : {}),
        }
        return {
          target,
          endpoint: 'simulateClientIdentityStatus',
          statusBefore: status,
          body: { cardAccountId, action: decision, ...(decision === 'reject' ? rejection : {}) },
        }
      },
    },
    input,
    (record) => ({ identity: record as ClientIdentity | null }),
  )
}

function about(idIn: IdField): Target | null {
  const id = idIn('cardAccountId')
  return id ? { type: 'cardaccount', id, parentId: null, label: null } : null
}

/** The account that an action is about, also where it cannot be read any more and the operation began before. */
async function targetOfAction(
  environment: ActionInput['environment'],
  operationId: string,
  cardAccountId: string,
): Promise<{ target: Target; status: string | null; isRetry: boolean }> {
  const read = await readOneAccount(environment, cardAccountId).catch((error: unknown) => {
    if (isRefusal(error)) return error
    throw error
  })
  const begun = await findOperation(database(), operationId)
  if (begun?.targetId === cardAccountId) return { target: targetOf(begun), status: begun.statusBefore, isRetry: true }
  if (read instanceof Error) throw read
  const { name, clientIdentityStatus } = read.account
  const target = { type: 'cardaccount', id: cardAccountId, parentId: null, label: name }
  return { target, status: clientIdentityStatus, isRetry: false }
}
