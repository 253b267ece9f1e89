import 'server-only'
import type { z } from 'zod'
import { AppError } from '../desk/app-error.ts'
import { ActionInput, isRecord, operationSpec, shown, unreadable } from '../desk/operations/spec.ts'
import { ServiceId } from '../desk/parse.ts'
import { detailOf } from './detail.ts'
import { readOneFee } from './read.ts'
import { feeTarget, isVoid } from './record.ts'
import { forgetFeeTotals } from './totals.ts'

const Waiver = ActionInput.extend({ feeId: ServiceId })
export type WaiveFeeInput = z.input<typeof Waiver>

export const feeOperations = {
  /** Waives a fee. One that is unknown or void already is refused before anything is sent. */
  'fee.waive': operationSpec({
    endpoint: 'waiveFee',
    input: Waiver,
    target(idIn) {
      const id = idIn('feeId')
      return id ? { type: 'fee', id, parentId: null, label: null } : null
    },
    request: ({ feeId }) => ({
      target: { type: 'fee', id: feeId, parentId: null, label: null },
      body: { id: feeId },
    }),
    async check({ environment, feeId }) {
      const { fee } = await readOneFee(environment, feeId)
      if (isVoid(fee)) throw new AppError('FEE_ALREADY_VOID', alreadyVoid)
      return { target: feeTarget(fee), statusBefore: fee.status }
    },
    /** Fee and account are two readings of the service: the balance after a waiver is never computed. */
    async readBack({ environment, targetId }) {
      forgetFeeTotals(environment)
      const record = await detailOf(environment, targetId)
      const { status } = record.fee
      if (status === null) return unreadable(null, record)
      return shown(isWaived(status), status, `The fee is still ${status}.`, record)
    },
    isShownBy: (row, _sent, { response }) => isRecord(response, row.targetId) && isWaived(response.status),
    isRepeatable: true,
    changes: ({ targetParentId }) => [
      { type: 'fees' },
      ...(targetParentId ? [{ type: 'cardaccount' as const, id: targetParentId }] : []),
    ],
  }),
}

/**
 * The interface does not define the status of a waived fee: `void`, or any status other than those of a charged fee.
 */
function isWaived(status: unknown): boolean {
  return typeof status === 'string' && status !== 'posted' && status !== 'pending'
}

const alreadyVoid = 'This fee is void already: it was waived or cancelled before, and the balance does not count it.'
