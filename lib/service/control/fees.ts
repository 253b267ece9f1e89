import { z } from 'zod'
import { PositiveAmount, text, Uuid } from '#lib/contract/fields.ts'
import { inTransaction } from '#lib/db/transaction.ts'
import { amount } from '#lib/shared/money.ts'
import { sandboxNow } from '../clock.ts'
import { chargeFee } from '../ledger/fees.ts'
import { controlRoute } from './control-route.ts'

const Fee = z.object({ cardAccountId: Uuid, intent: text(100), amount: PositiveAmount })

export const feeRoutes = [
  controlRoute({
    method: 'POST',
    path: '/fees',
    body: Fee,
    response: ({ db }, fee) =>
      inTransaction(db, async (tx) => chargeFee(tx, await sandboxNow(tx), { ...fee, amount: amount(fee.amount) })),
  }),
]
