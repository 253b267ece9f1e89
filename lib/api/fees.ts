import { defineActions } from './action.ts'
import { defineReads, list } from './read.ts'
import { dateRange, defineSearch, id, ids, text, texts } from './search.ts'

export const feeSearch = defineSearch(
  {
    /** Free text: account, description, intent or an id. */
    q: text(200),
    status: texts(100),
    feeId: id,
    intent: text(100),
    currency: text(16),
    /** The xid of the transaction that carries the fee. */
    xid: text(256),
    /** When it was charged. */
    ...dateRange,
    /** Card accounts, any of them: as many as an address can hold. */
    accountId: ids(100),
  },
  // Amounts of different currencies have no order.
  { createdAt: [], amount: ['currency'] },
)

export const feeReads = defineReads({
  listFees: { path: 'fees', needs: 'accounts.read', poll: list, staleOn: { fees: true, cardaccount: true } },
  readFee: {
    path: 'fees/[feeId]',
    needs: 'accounts.read',
    poll: { staleAfter: 0 },
    staleOn: { fees: true, cardaccount: true },
  },
})

export const feeActions = defineActions({
  'fee.waive': {
    needs: 'fees.waive',
    noun: 'fee',
    label: 'Waive fee',
    movesMoney: true,
    done: 'Fee waived',
    reasons: ['goodwill', 'charged-in-error', 'service-problem', 'program-policy', 'other'],
    isReasonRequired: true,
    refused: {
      INVALID_PARAMETERS: {
        happened: 'The fee wasn’t waived. It may be void already.',
        next: 'Check the fee’s status. A void fee needs nothing more.',
      },
    },
    changes: ['fees', 'card-accounts', 'overview'],
  },
})
