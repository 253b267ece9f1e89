import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { isCountryCode } from '#lib/contract/countries.ts'
import { oneOf, PositiveAmount, text, Uuid } from '#lib/contract/fields.ts'
import { creditIntents, declineReasons } from '#lib/contract/sandbox.ts'
import { SimulateAuthorization } from '#lib/contract/simulators.ts'
import { cardAccountCurrencies } from '#lib/contract/terms.ts'
import { disputeStatuses } from '#lib/contract/transactions.ts'
import { amount, type Amount } from '#lib/shared/money.ts'
import { ApiError } from '../api-error.ts'
import { authorize } from '../authorization.ts'
import type { ServiceWrite } from '../clock.ts'
import { reversibleAmount } from '../ledger/entry-changes.ts'
import { captureNow, chargeFee, findCard } from '../ledger/fees.ts'
import { balanceBound, postEntry, requireMinorUnit, reverseEntry, setDispute } from '../ledger/ledger.ts'
import { requireLockedAccount, requireLockedEntry } from '../ledger/locks.ts'
import { lockAccount, postAccountEntry, toAccount } from '../payouts/account-ledger.ts'
import { merchants } from '../seed/merchants.ts'
import { toCardAccountTransaction } from '../transaction-record.ts'
import { changeRoute } from './control-route.ts'

const Dispute = z.strictObject({
  transactionId: Uuid,
  status: z.enum(disputeStatuses, `must be one of ${disputeStatuses.join(', ')}, or null`).nullable(),
})

const Fee = z.strictObject({
  cardAccountId: Uuid,
  cardId: Uuid.optional(),
  intent: text(100),
  amount: PositiveAmount,
  status: oneOf(['posted', 'pending']).default('posted'),
})

const Credit = z.strictObject({
  cardAccountId: Uuid,
  cardId: Uuid.optional(),
  intent: oneOf(Object.keys(creditIntents) as [keyof typeof creditIntents]),
  amount: PositiveAmount,
  description: text(200).optional(),
  entryType: oneOf(['DEBIT', 'CREDIT']).optional(),
  status: oneOf(['posted', 'pending']).default('posted'),
})

const reasonNames = Object.keys(declineReasons) as [keyof typeof declineReasons]

const Charge = SimulateAuthorization.extend({
  currency: oneOf(cardAccountCurrencies),
  opts: z.strictObject(SimulateAuthorization.shape.opts.unwrap().shape).optional(),
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
  accountAmount: PositiveAmount.optional(),
  forced: z.boolean('must be true or false').optional(),
})
  .strict()
  .refine(({ forced, declineReason }) => !forced || declineReason === undefined, {
    path: ['forced'],
    message: 'must be left out where declineReason is given',
  })

const PartOfEntry = z.strictObject({ transactionId: Uuid, amount: PositiveAmount.optional() })

const TopUp = z.strictObject({ accountId: Uuid, amount: PositiveAmount, description: text(200).default('Top-up') })

/** Posts a part of an entry, or reverses it; null for a part that it does not have. */
type PartOf<Value> = (part: Amount | undefined) => Promise<Value | null>

/** The response to a change of an entry. Throws `INVALID_PARAMETERS` where `left` is nothing or less than the amount. */
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

async function creditAccount(change: ServiceWrite, given: z.output<typeof Credit>) {
  const { cardAccountId, intent, status } = given
  const account = await requireLockedAccount(change.db, cardAccountId)
  const credited = amount(given.amount)
  requireMinorUnit(credited, account.currency)
  const usual = creditIntents[intent]
  const { transaction } = await postEntry(change, account, {
    status,
    intent,
    entryType: given.entryType ?? usual.entryType,
    description: given.description ?? usual.description,
    amount: credited,
    card: await findCard(change, given),
  })
  return toCardAccountTransaction(transaction)
}

async function chargeCard(change: ServiceWrite, given: z.output<typeof Charge>) {
  const { merchant, type, cardPresent, declineReason, forced = false, ...request } = given
  const { currency, opts: { purchaseAmount } = {} } = request
  // The interface's simulator rounds; a test that charges by the control plane is told of its mistake.
  requireMinorUnit(amount(request.amount), currency)
  if (purchaseAmount !== undefined) requireMinorUnit(amount(purchaseAmount), currency, 'opts.purchaseAmount')
  const id = await authorize(change, {
    ...request,
    isForced: forced,
    opts: { ...request.opts, ...(type && { type }), ...(cardPresent !== undefined && { cardPresent }) },
    ...(merchant && { merchant: { ...merchant, category: merchant.category ?? merchantCategory(merchant.mcc) } }),
    ...(declineReason && {
      decline: typeof declineReason === 'string' ? declineReasons[declineReason] : declineReason,
    }),
  })
  return toCardAccountTransaction((await requireLockedEntry(change.db, id)).transaction)
}

function merchantCategory(mcc: string): string {
  return merchants.find((merchant) => merchant.mcc === mcc)?.category ?? `Category ${mcc}`
}

/** The account that money for top-ups comes from. */
const counterparty = { number: '000-000000-000', label: 'Sandbox bank' }

export const transactionRoutes = [
  changeRoute({
    path: '/fees',
    body: Fee,
    change: (change, fee) => chargeFee(change, { ...fee, amount: amount(fee.amount) }),
  }),
  changeRoute({
    path: '/disputes',
    body: Dispute,
    change: async (change, { transactionId, status }) =>
      toCardAccountTransaction(await setDispute(change, transactionId, status)),
  }),
  changeRoute({ path: '/credits', body: Credit, change: creditAccount }),
  changeRoute({ path: '/charges', body: Charge, change: chargeCard }),
  changeRoute({
    path: '/captures',
    body: PartOfEntry,
    async change(change, { transactionId, amount: given }) {
      const found = await requireLockedEntry(change.db, transactionId)
      const { status, amount: whole, currency } = found.transaction
      const left = amount(status === 'pending' ? whole : 0)
      const message = 'must be a pending transaction'
      const captured = await changePart({ given, left, currency, message }, (part) => captureNow(change, found, part))
      return toCardAccountTransaction(captured)
    },
  }),
  changeRoute({
    path: '/reversals',
    body: PartOfEntry,
    async change(change, { transactionId, amount: given }) {
      const found = await requireLockedEntry(change.db, transactionId)
      const { currency } = found.transaction
      const left = reversibleAmount(found.transaction)
      const message = 'must be a pending or posted charge that is not reversed in full'
      const { transaction, refund } = await changePart({ given, left, currency, message }, (part) =>
        reverseEntry(change, found, part),
      )
      return { transaction: toCardAccountTransaction(transaction), refund: refund && toCardAccountTransaction(refund) }
    },
  }),
  changeRoute({
    path: '/funding-accounts/top-up',
    body: TopUp,
    async change(change, { accountId, amount: given, description }) {
      const account = await lockAccount(change.db, accountId)
      if (!account) throw new ApiError('ACCOUNT_NOT_FOUND', 'there is no such funding account')
      const added = amount(given)
      requireMinorUnit(added, account.currency)
      if (!amount(account.balance).plus(added).lt(balanceBound)) {
        throw new ApiError('INVALID_PARAMETERS', 'amount: the account would come to 1,000,000,000,000 or more')
      }
      const changed = await postAccountEntry(change, account, {
        amount: added,
        intent: 'topup',
        intentId: randomUUID(),
        intentRefId: randomUUID(),
        description,
        counterparty,
      })
      return toAccount(changed)
    },
  }),
]
