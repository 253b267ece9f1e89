import { z } from 'zod'
import { cardAccountCurrencies } from '#lib/contract/account-terms.ts'
import { isCountryCode } from '#lib/contract/countries.ts'
import { oneOf, PositiveAmount, text, Uuid } from '#lib/contract/fields.ts'
import { creditIntents, declineReasons } from '#lib/contract/sandbox.ts'
import { SimulateAuthorization } from '#lib/contract/simulators.ts'
import { disputeStatuses } from '#lib/contract/transactions.ts'
import type { Transaction } from '#lib/db/connection.ts'
import { inTransaction } from '#lib/db/transaction.ts'
import { amount, type Amount } from '#lib/shared/money.ts'
import { ApiError } from '../api-error.ts'
import { authorize } from '../authorization.ts'
import { sandboxNow } from '../clock.ts'
import { reversibleOf } from '../ledger/entry-changes.ts'
import { captureNow, chargeFee } from '../ledger/fees.ts'
import { postEntry, requireMinorUnit, reverseEntry, setDispute } from '../ledger/ledger.ts'
import { requireLockedAccount, requireLockedEntry } from '../ledger/locks.ts'
import { merchants } from '../seed/merchants.ts'
import { toCardAccountTransaction } from '../transaction-record.ts'
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

const Credit = z.strictObject({
  cardAccountId: Uuid,
  intent: oneOf(Object.keys(creditIntents) as [keyof typeof creditIntents]),
  amount: PositiveAmount,
  description: text(200).optional(),
  entryType: oneOf(['DEBIT', 'CREDIT']).optional(),
  status: oneOf(['posted', 'pending']).default('posted'),
})

const reasonNames = Object.keys(declineReasons) as [keyof typeof declineReasons]

const Charge = SimulateAuthorization.extend({
  currency: oneOf(cardAccountCurrencies),
  merchant: z
    .strictObject({
      name: text(100),
      mcc: z.string('must be a string').regex(/^\d{4}$/, 'must be a merchant category code of 4 digits'),
      category: text(100).optional(),
      country: z.string('must be a string').refine(isCountryCode, 'must be an ISO 3166-1 alpha-2 code').optional(),
    })
    .optional(),
  type: oneOf(['PURCHASE', 'ATM']).optional(),
  cardPresent: z.boolean('must be true or false').optional(),
  declineReason: z
    .union(
      [
        z.enum(reasonNames),
        z.strictObject({ responseCode: z.string().regex(/^[0-9A-Z]{2}$/), responseMessage: text(200) }),
      ],
      `must be one of ${reasonNames.join(', ')}, or an object of responseCode (2 characters) and responseMessage`,
    )
    .optional(),
}).strict()

const Change = z.strictObject({ transactionId: Uuid, amount: PositiveAmount.optional() })

/** Posts a part of an entry, or reverses it; null for a part that it does not have. */
type PartOf<Value> = (part: Amount | undefined) => Promise<Value | null>

/** What a change of an entry returns. Throws `INVALID_PARAMETERS` where `left` is nothing or less than the amount. */
async function changePart<Value>(
  { given, left, currency, message }: { given: number | undefined; left: Amount; currency: string; message: string },
  change: PartOf<Value>,
): Promise<Value> {
  if (left.isZero()) throw new ApiError('INVALID_PARAMETERS', `transactionId: ${message}`)
  const part = given === undefined ? undefined : amount(given)
  if (part) requireMinorUnit(part, currency)
  const changed = await change(part)
  if (changed) return changed
  throw new ApiError('INVALID_PARAMETERS', `amount: must be at most ${left.toString()} ${currency}`)
}

async function creditAccount(tx: Transaction, now: Date, given: z.output<typeof Credit>) {
  const { cardAccountId, intent, status } = given
  const account = await requireLockedAccount(tx, cardAccountId)
  const credited = amount(given.amount)
  requireMinorUnit(credited, account.currency)
  const usual = creditIntents[intent]
  const { transaction } = await postEntry(tx, now, account, {
    status,
    intent,
    entryType: given.entryType ?? usual.entryType,
    description: given.description ?? usual.description,
    amount: credited,
  })
  return toCardAccountTransaction(transaction)
}

async function chargeCard(tx: Transaction, now: Date, given: z.output<typeof Charge>) {
  const { merchant, type, cardPresent, declineReason, ...request } = given
  const id = await authorize(tx, now, {
    ...request,
    opts: { ...request.opts, ...(type && { type }), ...(cardPresent !== undefined && { cardPresent }) },
    ...(merchant && { merchant: { ...merchant, category: merchant.category ?? categoryOf(merchant.mcc) } }),
    ...(declineReason && {
      decline: typeof declineReason === 'string' ? declineReasons[declineReason] : declineReason,
    }),
  })
  return toCardAccountTransaction((await requireLockedEntry(tx, id)).transaction)
}

function categoryOf(mcc: string): string {
  return merchants.find((merchant) => merchant.mcc === mcc)?.category ?? `Category ${mcc}`
}

export const transactionRoutes = [
  controlRoute({
    method: 'POST',
    path: '/credits',
    body: Credit,
    response: ({ db }, credit) => inTransaction(db, async (tx) => creditAccount(tx, await sandboxNow(tx), credit)),
  }),
  controlRoute({
    method: 'POST',
    path: '/charges',
    body: Charge,
    response: ({ db }, charge) => inTransaction(db, async (tx) => chargeCard(tx, await sandboxNow(tx), charge)),
  }),
  controlRoute({
    method: 'POST',
    path: '/captures',
    body: Change,
    response: ({ db }, { transactionId, amount: given }) =>
      inTransaction(db, async (tx) => {
        const found = await requireLockedEntry(tx, transactionId)
        const { status, amount: whole, currency } = found.transaction
        const left = amount(status === 'pending' ? whole : 0)
        const message = 'must be a pending transaction'
        const now = await sandboxNow(tx)
        const captured = await changePart({ given, left, currency, message }, (part) =>
          captureNow(tx, now, found, part),
        )
        return toCardAccountTransaction(captured)
      }),
  }),
  controlRoute({
    method: 'POST',
    path: '/reversals',
    body: Change,
    response: ({ db }, { transactionId, amount: given }) =>
      inTransaction(db, async (tx) => {
        const found = await requireLockedEntry(tx, transactionId)
        const { currency } = found.transaction
        const left = reversibleOf(found.transaction)
        const message = 'must be a pending or posted charge that is not reversed in full'
        const now = await sandboxNow(tx)
        const reversed = await changePart({ given, left, currency, message }, (part) =>
          reverseEntry(tx, now, found, part),
        )
        return {
          transaction: toCardAccountTransaction(reversed.transaction),
          refund: reversed.refund && toCardAccountTransaction(reversed.refund),
        }
      }),
  }),
]
