import { z } from 'zod'
import { Uuid } from '#lib/contract/fields.ts'
import { disputeStatuses } from '#lib/contract/transactions.ts'
import { inTransaction } from '#lib/db/transaction.ts'
import { sandboxNow } from '../clock.ts'
import { setDispute } from '../ledger.ts'
import { toCardAccountTransaction } from '../transaction-record.ts'
import { controlRoute } from './control-route.ts'

const Dispute = z.object({
  transactionId: Uuid,
  status: z.enum(disputeStatuses, `must be one of ${disputeStatuses.join(', ')}, or null`).nullable(),
})

export const disputeRoutes = [
  controlRoute({
    method: 'POST',
    path: '/disputes',
    body: Dispute,
    response: ({ db }, { transactionId, status }) =>
      inTransaction(db, async (tx) =>
        toCardAccountTransaction(await setDispute(tx, await sandboxNow(tx), transactionId, status)),
      ),
  }),
]
