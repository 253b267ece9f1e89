import { z } from 'zod'
import { AccountTransaction } from './accounts.ts'
import { endpoint } from './endpoint.ts'
import {
  ResponseUuid,
  Currency,
  datedListQuery,
  openEnum,
  pageResponse,
  queryList,
  text,
  Timestamp,
  Uuid,
  Xid,
} from './fields.ts'
import { CardAccountTransaction } from './transactions.ts'

const feeStatuses = ['pending', 'posted', 'void'] as const

export const FeeEntry = z
  .object({
    id: ResponseUuid,
    transaction: z.union([CardAccountTransaction, AccountTransaction]),
    amount: z.number(),
    currency: Currency,
    status: openEnum(feeStatuses),
    /** An open set: the service names its fees. */
    intent: z.string(),
    intentId: z.string(),
    createdAt: Timestamp,
  })
  .meta({ id: 'FeeEntry' })
export type FeeEntry = z.infer<typeof FeeEntry>

export const feeEndpoints = {
  listFees: endpoint({
    method: 'GET',
    path: '/fees',
    summary: 'Charged fees, newest first.',
    query: datedListQuery({
      feeId: Uuid.optional(),
      intent: text(100).optional(),
      xid: Xid.optional().meta({ description: 'The xid of the transaction that carries the fee.' }),
      accountId: queryList(Uuid).optional(),
    }),
    response: z.object({ fees: z.array(FeeEntry), ...pageResponse }),
    errors: [],
  }),
  waiveFee: endpoint({
    method: 'POST',
    path: '/fees/waive',
    summary: 'Waives a fee: it becomes void, and the balance is right at once.',
    body: z.object({ id: Uuid }),
    response: FeeEntry,
    errors: ['INVALID_PARAMETERS', 'FEE_NOT_FOUND'],
  }),
}
