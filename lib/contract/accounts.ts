import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import {
  ResponseUuid,
  Currency,
  datedListQuery,
  oneOf,
  openEnum,
  pageResponse,
  Timestamp,
  Uuid,
  Xid,
  Xmetadata,
} from './fields.ts'

/** Decision: a funding account of payouts. */
export const Account = z
  .object({ id: ResponseUuid, name: z.string(), currency: Currency, balance: z.number(), available: z.number() })
  .meta({ id: 'Account' })
export type Account = z.infer<typeof Account>

export const accountTransactionIntents = ['transfer', 'topup', 'payout'] as const
export const accountTransactionStatuses = ['pending', 'posted', 'void'] as const

/**
 * The interface calls this record Transaction. Its schema requires `time` and lists `createdAt`, so an entry has both;
 * `Xmetadata` has a capital X there. It lists no `id`: the built-in service sends one, another service need not.
 */
export const AccountTransaction = z
  .object({
    id: ResponseUuid.nullable(),
    time: Timestamp,
    createdAt: Timestamp,
    asset: z.string().min(2),
    amount: z.number().meta({ description: 'Net amount. Positive = credit, negative = debit.' }),
    balance: z.number().nullable().meta({ description: 'Null until the transaction is fully posted.' }),
    intent: openEnum(accountTransactionIntents),
    intentId: ResponseUuid,
    intentRefId: ResponseUuid,
    status: openEnum(accountTransactionStatuses),
    description: z.string(),
    accountNumber: z.string(),
    accountLabel: z.string(),
    fromAccountNumber: z.string().nullable(),
    fromAccountLabel: z.string().nullable(),
    toAccountNumber: z.string().nullable(),
    toAccountLabel: z.string().nullable(),
    xid: Xid.nullable(),
    Xmetadata: Xmetadata.nullable(),
  })
  .meta({ id: 'AccountTransaction' })
export type AccountTransaction = z.infer<typeof AccountTransaction>

export const accountEndpoints = {
  listAccounts: endpoint({
    method: 'GET',
    path: '/accounts',
    summary: 'The funding accounts of payouts.',
    response: z.object({ accounts: z.array(Account) }),
    errors: [],
  }),
  listAccountTransactions: endpoint({
    method: 'GET',
    path: '/accounts/transactions',
    summary: 'The account ledger: what moved the balances of funding accounts, newest first.',
    query: datedListQuery({
      accountId: Uuid.optional(),
      intent: oneOf(accountTransactionIntents).optional(),
      status: oneOf(accountTransactionStatuses).optional(),
    }),
    response: z.object({ transactions: z.array(AccountTransaction), ...pageResponse }),
    errors: ['ACCOUNT_NOT_FOUND'],
  }),
}
