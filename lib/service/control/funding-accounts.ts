import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { PositiveAmount, text, Uuid } from '#lib/contract/fields.ts'
import { inTransaction } from '#lib/db/transaction.ts'
import { amount } from '#lib/shared/money.ts'
import { ApiError } from '../api-error.ts'
import { sandboxNow } from '../clock.ts'
import { requireMinorUnit } from '../ledger/ledger.ts'
import { lockAccount, postAccountEntry, toAccount } from '../payouts/account-ledger.ts'
import { controlRoute } from './control-route.ts'

const TopUp = z.strictObject({ accountId: Uuid, amount: PositiveAmount, description: text(200).default('Top-up') })

/** The account that money for top-ups comes from. */
const counterparty = { number: '000-000000-000', label: 'Sandbox bank' }

/** A JSON number carries at most 15 digits. */
const balanceBound = 1e12

export const fundingAccountRoutes = [
  controlRoute({
    method: 'POST',
    path: '/funding-accounts/top-up',
    body: TopUp,
    response: ({ db }, { accountId, amount: given, description }) =>
      inTransaction(db, async (tx) => {
        const account = await lockAccount(tx, accountId)
        if (!account) throw new ApiError('ACCOUNT_NOT_FOUND', 'there is no such funding account')
        const added = amount(given)
        requireMinorUnit(added, account.currency)
        if (!amount(account.balance).plus(added).lt(balanceBound)) {
          throw new ApiError('INVALID_PARAMETERS', 'amount: the account would come to 1,000,000,000,000 or more')
        }
        const changed = await postAccountEntry(tx, await sandboxNow(tx), account, {
          amount: added,
          intent: 'topup',
          intentId: randomUUID(),
          intentRefId: randomUUID(),
          description,
          counterparty,
        })
        return toAccount(changed)
      }),
  }),
]
