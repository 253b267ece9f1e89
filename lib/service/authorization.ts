import { randomUUID } from 'node:crypto'
import {
  type CardLimits,
  type ChargeKind,
  type Decline,
  expiryDecline,
  isCardExpired,
  statusDeclines,
} from '#lib/contract/charge-rule.ts'
import { countryOfNumber } from '#lib/contract/countries.ts'
import type { ParsedRequest } from '#lib/contract/endpoints.ts'
import { amount, type Amount, roundToMinorUnit, toWire } from '#lib/shared/money.ts'
import { ApiError } from './api-error.ts'
import type { CardAccountRow } from './card-account-record.ts'
import { lockCardRow } from './card-changes.ts'
import { type AccountFunds, type CardSpending, chargeBounds } from './card-limits.ts'
import type { CardRow } from './card-record.ts'
import type { ServiceWrite } from './clock.ts'
import { isReportable, postEntry, requireMinorUnit } from './ledger/ledger.ts'
import { requireLockedAccount } from './ledger/locks.ts'
import { rateAt } from './rates.ts'

/** A charge that a merchant requests, in any currency that has rates. */
type AuthorizationRequest = Omit<ParsedRequest<'simulateAuthorization'>['body'], 'currency'> & {
  currency: string
  /** The merchant. Left out: a Hong Kong merchant of a general category. */
  merchant?: Merchant
  /** Declines the charge with this code, even where the card and the account allow it. */
  decline?: Decline
  /** The amount charged to the account, where it isn't the amount at the present rate. */
  accountAmount?: number | undefined
  /** Approves the charge whatever the card, its limits and the account allow, as one that a merchant sent in offline. */
  isForced?: boolean
}

type Merchant = { name: string; mcc: string; category: string; country?: string | undefined }

/** The fields of a card that the rule reads. */
type ChargedCard = Pick<CardRow['card'], 'status' | 'expiryMonth' | 'expiryYear'> & CardLimits<string>

/** A Hong Kong merchant of no particular trade (ISO 18245: 5999). */
const usualMerchant: Merchant = { name: 'Simulated merchant', mcc: '5999', category: 'Miscellaneous retail stores' }
const defaultCountryNumber = 344

/**
 * Authorises a charge: a pending entry where card, limits and account allow it, else a declined one that says why.
 * Returns the entry's id. Throws `CARD_ACCOUNT_NOT_FOUND`, `CARD_NUMBER_MISMATCH`, and `INVALID_PARAMETERS` for
 * amounts that the currencies do not have.
 */
export async function authorize(change: ServiceWrite, request: AuthorizationRequest): Promise<string> {
  const { db, now } = change
  const account = await requireLockedAccount(db, request.cardAccountId)
  const row = await lockCardRow(change, request)
  const { countryCode = defaultCountryNumber, purchaseAmount } = request.opts ?? {}
  const charged = chargedAmount(now, request, account)
  const grossAmount =
    purchaseAmount === undefined ? charged : convert(now, request, 'opts.purchaseAmount', purchaseAmount, account)
  const kind = chargeKind(request, row)
  const merchant = request.merchant ?? usualMerchant
  const decline = request.decline ?? (request.isForced ? null : findDecline(now, row, account, charged, kind))

  const { transaction } = await postEntry(change, account, {
    status: decline ? 'declined' : 'pending',
    intent: 'charge',
    entryType: 'CREDIT',
    description: merchant.name,
    amount: charged,
    grossAmount,
    card: row.card,
    authorization: {
      id: randomUUID(),
      currency: request.currency,
      amount: toWire(roundToMinorUnit(amount(request.amount), request.currency)),
      createdAt: now.toISOString(),
      type: kind.type,
      responseCode: decline?.responseCode ?? '00',
      responseMessage: decline?.responseMessage ?? 'Approved',
      cardPresent: kind.cardPresent,
    },
    merchant: {
      ...merchant,
      country: merchant.country ?? countryOfNumber(countryCode) ?? String(countryCode).padStart(3, '0'),
    },
  })
  return transaction.id
}

function chargedAmount(now: Date, request: AuthorizationRequest, account: CardAccountRow): Amount {
  if (request.accountAmount === undefined) return convert(now, request, 'amount', request.amount, account)
  const given = amount(request.accountAmount)
  requireMinorUnit(given, account.currency, 'accountAmount')
  return given
}

/** Decision: a physical card is present, a virtual one is not; cash is taken with the card in the machine. */
function chargeKind({ opts = {} }: AuthorizationRequest, { product }: CardRow): ChargeKind {
  const type = opts.type ?? 'PURCHASE'
  return { type, cardPresent: opts.cardPresent ?? (type === 'ATM' || product.cardType === 'physical') }
}

/** Why the charge is declined; null where it is approved. */
export function findDecline(
  now: Date,
  { card, spending }: { card: ChargedCard; spending: CardSpending },
  account: AccountFunds,
  charged: Amount,
  kind: ChargeKind,
): Decline | null {
  if (card.status !== 'active') return statusDeclines[card.status]
  if (isCardExpired(card, now)) return expiryDecline
  return chargeBounds(card, account, spending, kind).find(({ left }) => charged.gt(left)) ?? null
}

function convert(
  now: Date,
  { currency }: AuthorizationRequest,
  field: string,
  given: number,
  account: CardAccountRow,
): Amount {
  const exact = roundToMinorUnit(amount(given), currency)
  const converted = roundToMinorUnit(exact.times(rateAt(now, currency, account.currency)), account.currency)
  if (!converted.gt(0)) {
    throw new ApiError('INVALID_PARAMETERS', `${field}: is nothing in ${account.currency}, rounded`)
  }
  if (!isReportable(converted)) {
    throw new ApiError('INVALID_PARAMETERS', `${field}: is too large in ${account.currency}`)
  }
  return converted
}
