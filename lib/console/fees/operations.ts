import 'server-only'
import { database, type Transaction } from '#lib/db/connection.ts'
import { inTransaction } from '#lib/db/transaction.ts'
import { readOneAccount } from '#lib/index/account.ts'
import { findOperation, type JournalEntry, type OperationRow } from '#lib/operations/journal.ts'
import {
  OperationInput,
  isRecord,
  operationSpec,
  doneOrNot,
  unreadable,
  type Confirmation,
} from '#lib/operations/spec.ts'
import { AppError, nullOn } from '#lib/shared/app-error.ts'
import { isSameCurrency, moneyText } from '#lib/shared/currency.ts'
import { amount, exactText, toAmount } from '#lib/shared/money.ts'
import { ServiceId } from '#lib/shared/parse.ts'
import { findEarlierWaiver, findEarlierWaiverAlone } from './earlier-waiver.ts'
import { feeTarget, isVoid } from './fee-record.ts'
import { readFeeWithAccount } from './fee-with-account.ts'
import { readOneFee } from './index-fees.ts'
import { findStoredBalance } from './waiver-effects.ts'

const Waiver = OperationInput.extend({ feeId: ServiceId })

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
    async check({ environment, feeId, operationId }) {
      const read = await readOneFee(environment, feeId)
      const { fee } = read
      if (isVoid(fee)) throw new AppError(alreadyVoid.code, alreadyVoid.text)
      const earlier = await findEarlierWaiver(environment, fee.id, operationId)
      if (earlier !== null) throw new AppError('FEE_WAIVED_BEFORE', earlier)
      // Without the account's balance a waiver is sent all the same.
      const detail = await nullOn(readFeeWithAccount(environment, feeId, read))
      const expected =
        detail && toExpectedRefund({ ...detail, currency: fee.currency, before: detail.balance?.balance })
      const target = feeTarget(fee)
      const checkAlone = (tx: Transaction) => requireOnlyWaiver({ id: operationId, environment, target }, tx)
      return { target, statusBefore: fee.status, ...(expected && { expected }), checkAlone }
    },
    inJob: {
      /** A fee that a colleague waived, or that became another amount, while the job waited: some services waive it once more. */
      async check({ environment, target, facts }) {
        const { fee } = await readOneFee(environment, target.id)
        if (isVoid(fee)) return alreadyVoid
        const earlier = await findEarlierWaiver(environment, fee.id)
        if (earlier !== null) return { text: earlier }
        if (exactText(fee.amount) === facts.amount) return null
        const now = fee.amount === null ? 'its amount is not provided' : `it is ${moneyText(fee.amount, fee.currency)}`
        return { text: `The fee was changed meanwhile: ${now} now.` }
      },
      /** The index's balance is from before the row: the last reading of the account was at the start, or of an earlier row. */
      async expected({ environment, target: { parentId }, facts: { change, currency } }) {
        const before = parentId && (await findStoredBalance(environment, parentId))
        return toExpectedRefund({ change, currency, before })
      },
      checkAlone: requireOnlyWaiver,
    },
    async checkApproved({ id, environment, targetId }) {
      const read = await nullOn(readOneFee(environment, targetId), 'FEE_NOT_FOUND')
      if (!read) return { text: 'The fee is not listed any more.' }
      if (isVoid(read.fee)) return alreadyVoid
      const find = (tx: Transaction) => findEarlierWaiverAlone(tx, environment, read.fee.id, id)
      const text = await inTransaction(database(), find)
      return text === null ? null : { text }
    },
    /** Fee and account are two readings of the service: the balance after a waiver is never computed. */
    async readBack(row) {
      const { environment, targetId } = row
      const record = await nullOn(readFeeWithAccount(environment, targetId), 'FEE_NOT_FOUND')
      if (!record) return readGoneFee(row)
      const { status } = record.fee
      if (status === null) return unreadable(null, record)
      return doneOrNot(isWaived(status), status, `The fee is still ${status}.`, record)
    },
    isShownBy: (row, _sent, { response }) => isRecord(response, row.targetId) && isWaived(response.status),
    changes: ({ targetParentId }) => [
      { type: 'fees' },
      ...(targetParentId ? [{ type: 'cardaccount' as const, id: targetParentId }] : []),
    ],
  }),
}

/** Of two people or jobs that have both seen no other waiver of the fee, the later one is refused with `ALREADY_UNDER_WAY`. */
async function requireOnlyWaiver(
  { id, environment, target }: Pick<JournalEntry, 'id' | 'environment' | 'target'>,
  tx: Transaction,
): Promise<void> {
  const earlier = await findEarlierWaiverAlone(tx, environment, target.id, id)
  // One that is in the journal already has its own outcome.
  if (earlier === null || (await findOperation(tx, id))) return
  throw new AppError('ALREADY_UNDER_WAY', earlier)
}

/** The refund and the balance before it, which confirm a waiver at a service that no longer lists waived fees; null where a figure is missing. */
function toExpectedRefund({
  change,
  currency,
  before,
}: Partial<Record<'change' | 'currency' | 'before', string | null>>) {
  if (!change || !currency || !before) return null
  return { returned: amount(change).negated().toFixed(), currency, before }
}

/**
 * A fee that was listed before and is not any more was waived if its account got back exactly its amount. Anything else is
 * stated as it was read.
 */
async function readGoneFee({ environment, targetParentId, expected }: OperationRow): Promise<Confirmation<never>> {
  const { returned, currency = '', before } = expected ?? {}
  const gone = 'The fee is not listed any more.'
  if (targetParentId === null || returned === undefined || before === undefined) return unreadable(gone)
  const { account } = await readOneAccount(environment, targetParentId)
  const now = isSameCurrency(account.currency, currency) ? toAmount(account.balance) : null
  if (!now) return unreadable(`${gone} The card service does not report the account’s balance.`)
  const money = (value: string) => moneyText(value, currency)
  if (now.minus(before).eq(returned)) {
    const detail = `It is not listed any more, and the balance rose by exactly ${money(returned)} to ${money(now.toFixed())}.`
    return { verdict: 'done', statusAfter: null, resultId: null, detail, record: null }
  }
  return unreadable(`${gone} The account’s balance was ${money(before)} before and is ${money(now.toFixed())} now.`)
}

/**
 * The interface does not define the status of a waived fee: `void`, or any status other than those of a charged fee.
 */
function isWaived(status: unknown): boolean {
  return typeof status === 'string' && status !== 'posted' && status !== 'pending'
}

const alreadyVoid = {
  text: 'This fee is void already: it was waived or cancelled before, and the balance does not count it.',
  code: 'FEE_ALREADY_VOID',
} as const
