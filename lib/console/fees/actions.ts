import 'server-only'
import type { z } from 'zod'
import { database } from '#lib/db/connection.ts'
import { act, ActionInput, type ActionRequest, type ActionResult } from '../desk/operations/act.ts'
import { findOperation, targetOf } from '../desk/operations/journal.ts'
import { auditRefusals } from '../desk/operations/perform.ts'
import { ServiceId } from '../desk/parse.ts'
import { Refusal } from '../desk/refusal.ts'
import type { Staff } from '../desk/session/staff.ts'
import type { FeeDetail } from './detail.ts'
import { readOneFee } from './read.ts'
import { Reason } from './reason.ts'
import { feeTarget, isVoid } from './record.ts'

const Waiver = ActionInput.extend({ feeId: ServiceId, reason: Reason.optional() })
type Waiver = z.output<typeof Waiver>

export type WaiveFeeInput = z.input<typeof Waiver>
/** `fee` is the fee with its account's balance as read afterwards, null where they could not be read. */
export type WaiveFeeResult = ActionResult<{ fee: FeeDetail | null }>

/** Waives a fee. One that is unknown or void already is refused before anything is sent. */
export function waiveFee(input: WaiveFeeInput): Promise<WaiveFeeResult> {
  return act(
    {
      kind: 'fee.waive',
      permission: 'fees.waive',
      input: Waiver,
      about: (idIn) => {
        const id = idIn('feeId')
        return id ? { type: 'fee', id, parentId: null, label: null } : null
      },
      prepare,
    },
    input,
    (record) => ({ fee: record as FeeDetail | null }),
  )
}

async function prepare(waiver: Waiver, staff: Staff): Promise<ActionRequest> {
  const { environment, operationId, feeId, reason = null } = waiver
  const request = { endpoint: 'waiveFee', body: { id: feeId }, reason } as const
  const begun = await findOperation(database(), operationId)
  // A retry finds the fee as its own first sending may have left it: the same operation is settled, nothing is judged anew.
  if (begun?.targetId === feeId) return { ...request, target: targetOf(begun), statusBefore: begun.statusBefore }
  const by = { id: staff.id, name: staff.name, role: staff.role }
  const target = { type: 'fee', id: feeId, parentId: null, label: null }
  const attempt = { id: operationId, environment, kind: 'fee.waive', by, target, reason, comment: null } as const
  const fee = await auditRefusals(attempt, async () => {
    const found = await readOneFee(environment, feeId)
    if (isVoid(found.fee)) throw new Refusal('FEE_ALREADY_VOID', alreadyVoid)
    return found.fee
  })
  return { ...request, target: feeTarget(fee), statusBefore: fee.status }
}

const alreadyVoid = 'This fee is void already: it was waived or cancelled before, and the balance does not count it.'
