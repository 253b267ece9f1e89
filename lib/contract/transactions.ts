import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import {
  ResponseUuid,
  Currency,
  datedListQuery,
  oneOf,
  openEnum,
  pageResponse,
  queryList,
  Timestamp,
  Uuid,
  Xid,
  Xmetadata,
} from './fields.ts'
import { transactionIntents, transactionStatuses } from './terms.ts'

export const disputeStatuses = ['requested', 'pending', 'success', 'failed', 'reported'] as const
export type DisputeStatus = (typeof disputeStatuses)[number]

export const CardAccountTransaction = z
  .object({
    id: ResponseUuid,
    xid: Xid.nullable(),
    xmetadata: Xmetadata.nullable(),
    refId: z.string(),
    cardAccountId: ResponseUuid,
    cardId: ResponseUuid.nullable(),
    cardLast4: z.string().nullable(),
    cardEmbossedName: z.string().nullable(),
    createdAt: Timestamp,
    status: openEnum(transactionStatuses),
    postedAt: Timestamp.nullable(),
    intent: openEnum(transactionIntents),
    authorization: z
      .object({
        id: ResponseUuid,
        currency: Currency,
        amount: z.number(),
        createdAt: Timestamp,
        type: openEnum(['PURCHASE', 'ATM']),
        responseCode: z.string(),
        responseMessage: z.string(),
        cardPresent: z.boolean(),
      })
      .nullable(),
    merchant: z.object({ name: z.string(), mcc: z.string(), category: z.string(), country: z.string() }).nullable(),
    currency: Currency,
    amount: z.number().min(0),
    entryType: z.enum(['CREDIT', 'DEBIT']),
    description: z.string(),
    disputeStatus: openEnum(disputeStatuses).nullable(),
    grossAmount: z.number().min(0),
  })
  .meta({ id: 'CardAccountTransaction' })
export type CardAccountTransaction = z.infer<typeof CardAccountTransaction>

export const transactionEndpoints = {
  listCardAccountTransactions: endpoint({
    method: 'GET',
    path: '/cardaccounts/transactions',
    summary: 'The transactions of a card account, newest first.',
    query: datedListQuery({
      cardAccountId: Uuid,
      cardId: Uuid.optional(),
      transactionId: Uuid.optional(),
      status: oneOf(transactionStatuses).optional(),
      xid: Xid.optional(),
      intent: queryList(oneOf(transactionIntents)).optional(),
    }),
    response: z.object({ transactions: z.array(CardAccountTransaction), ...pageResponse }),
    errors: ['CARD_ACCOUNT_NOT_FOUND'],
  }),
}
