import 'server-only'
import { z } from 'zod'
import type { ClientIdentity } from '#lib/contract/records.ts'
import { rejectionReasons } from '#lib/contract/terms.ts'
import type { Fields } from '#lib/gate/action.ts'
import { readOneAccount } from '#lib/index/account.ts'
import type { OperationRow } from '#lib/operations/journal.ts'
import {
  OperationInput,
  operationSpec,
  doneOrNot,
  unreadable,
  type Confirmation,
  type OperationSpec,
  accountTarget,
  accountTargetIn,
} from '#lib/operations/spec.ts'
import { sameId } from '#lib/shared/ids.ts'
import { firstFields } from '#lib/shared/json.ts'
import { plainText, ServiceId } from '#lib/shared/parse.ts'
import { IndividualInput } from './individual.ts'
import { fetchIdentity, readRejectedReason } from './rejections.ts'

const Resubmission = OperationInput.extend({
  cardAccountId: ServiceId,
  individual: IndividualInput,
})

const Simulation = OperationInput.extend({
  cardAccountId: ServiceId,
  decision: z.enum(['approve', 'reject'], 'must be approve or reject'),
  rejectedReason: z.enum(rejectionReasons, 'must be a reason of the interface').optional(),
  rejectionAdditionalInfo: plainText(1000).optional(),
})

export const identityOperations = {
  /** Submits the individual of a rejected identity again. */
  'identity.resubmit': operationSpec({
    ...decidedBy(({ status }) => typeof status === 'string' && status !== 'rejected'),
    endpoint: 'resubmitClientIdentity',
    input: Resubmission,
    // The body has the individual's documents.
    request: ({ cardAccountId, individual }) => ({
      target: accountTarget(cardAccountId),
      body: { cardAccountId, individual },
      holdsSecret: true,
    }),
    async check({ environment, cardAccountId }) {
      const { account } = await readOneAccount(environment, cardAccountId)
      const { name, clientIdentityStatus: status } = account
      if (status !== null && status !== 'rejected') {
        return { fields: { status: `is ${status}: only a rejected identity can be resubmitted` } }
      }
      // The history keeps what the resubmission responds to: the service forgets it.
      const rejectedReason = await readRejectedReason(environment, account.id)
      const expected = rejectedReason === null ? {} : { expected: { rejectedReason } }
      return { target: accountTarget(cardAccountId, name), statusBefore: status, ...expected }
    },
  }),
  /** Makes the sandbox decide an identity, with the same events as a manual review. */
  'identity.simulate': operationSpec({
    ...decidedBy(isSimulated),
    endpoint: 'simulateClientIdentityStatus',
    input: Simulation,
    request: ({ cardAccountId, decision, rejectedReason, rejectionAdditionalInfo }) => ({
      target: accountTarget(cardAccountId),
      body: {
        cardAccountId,
        action: decision,
        ...(decision === 'reject' && rejectedReason !== undefined ? { rejectedReason } : {}),
        ...(decision === 'reject' && rejectionAdditionalInfo ? { rejectionAdditionalInfo } : {}),
      },
    }),
    async check({ environment, cardAccountId }) {
      const { account } = await readOneAccount(environment, cardAccountId)
      return { target: accountTarget(cardAccountId, account.name), statusBefore: account.clientIdentityStatus }
    },
  }),
}

type Shared = Pick<
  OperationSpec<z.ZodType<OperationInput>, ClientIdentity>,
  'target' | 'readBack' | 'isShownBy' | 'changes'
>

/** Verification shared by approval and rejection: the identity has the requested decision. */
function decidedBy(isWanted: (identity: Fields, sent: Fields) => boolean): Shared {
  return {
    target: accountTargetIn,
    readBack: (row, sent) => readBackIdentity(row, (one) => isWanted(one, sent)),
    isShownBy({ targetId }, sent, { response }) {
      const identity = firstFields(response)
      return sameId(String(identity.cardAccountId), targetId) && isWanted(identity, sent)
    },
    changes: ({ targetId }) => [{ type: 'cardaccount', id: targetId }],
  }
}

/** The account is read before the identity, whose reason is stored with it. */
async function readBackIdentity(
  { environment, targetId }: OperationRow,
  isWanted: (identity: Fields) => boolean,
): Promise<Confirmation<ClientIdentity>> {
  await readOneAccount(environment, targetId)
  const { identity } = await fetchIdentity(environment, targetId)
  const { status } = identity
  if (status === null) return unreadable('The card service does not report the status of this identity.', identity)
  return doneOrNot(isWanted(identity), status, `The identity is ${status}.`, identity)
}

/** A service may not report the reason; one that does reports that which was sent. */
function isSimulated({ status, rejectedReason }: Fields, { action, rejectedReason: sent }: Fields): boolean {
  if (action === 'approve') return status === 'approved'
  return status === 'rejected' && (typeof sent !== 'string' || rejectedReason === null || rejectedReason === sent)
}
