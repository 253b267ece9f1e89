import type { CardLimits } from '#lib/contract/charge-rule.ts'
import type { Xmetadata } from '#lib/contract/fields.ts'
import type { CardStatus } from '#lib/contract/terms.ts'
import type { TransactionIntent, TransactionStatus } from '#lib/contract/terms.ts'
import type { DisputeStatus } from '#lib/contract/transactions.ts'
import type { Merchant } from './merchants.ts'
import type { Person } from './people.ts'
import type { ProductName } from './products.ts'

/** The plan of a seeded account. Amounts are whole cents (HKD and USD have two digits), ages count back from now. */
export type AccountPlan = {
  id?: string
  ageMs: number
  holder: { person: Person } | { company: string }
  accountType: 'prepaid' | 'credit'
  currency: 'HKD' | 'USD'
  limitCents: number
  xid?: string
  xmetadata: Xmetadata | null
  identity: { status: 'pending' | 'approved' | 'rejected'; rejectedReason?: string; rejectionAdditionalInfo?: string }
  cards: CardPlan[]
  entries: EntryPlan[]
}

export type CardPlan = {
  id?: string
  ageMs: number
  status: CardStatus
  product: ProductName
  last4?: string
  expiryMonth?: number
  expiryYear?: number
  xid?: string
  lockedBeforeSuspension?: boolean
  /** The index of the card that replaced this one. */
  replacedBy?: number
  /** In cents. */
  limits?: Partial<CardLimits<number>>
}

export type EntryPlan = {
  ageMs: number
  intent: TransactionIntent
  status: TransactionStatus
  entryType: 'CREDIT' | 'DEBIT'
  cents: number
  description: string
  /** The index of the card used, null for an entry without a card. */
  card: number | null
  xid?: string
  disputeStatus?: DisputeStatus
  /** Charges: where, and what was authorized in the merchant's currency (in hundredths of its unit). */
  purchase?: { merchant: Merchant; hundredths: number; type: 'PURCHASE' | 'ATM'; declined?: Decline }
  /** A charge that a refund gave back in full, and when. */
  reversedAgeMs?: number
  /** A fee: its intent. */
  feeIntent?: string
}

export type Extra = Partial<Omit<EntryPlan, 'ageMs' | 'cents'>>

/** A posted entry without a card, in the usual direction of its intent, but for what `extra` says. */
export function entry(
  ageMs: number,
  intent: TransactionIntent,
  cents: number,
  description: string,
  extra: Extra = {},
): EntryPlan {
  const entryType = ['refund', 'topup', 'repay', 'cashback'].includes(intent) ? 'DEBIT' : 'CREDIT'
  return { ageMs, intent, cents, description, status: 'posted', entryType, card: null, ...extra }
}

type Decline = { responseCode: string; responseMessage: string }

/** The effect of an entry on the balance, in cents. */
export function effectCents({ status, entryType, cents }: Pick<EntryPlan, 'status' | 'entryType' | 'cents'>): number {
  if (status === 'declined' || status === 'void') return 0
  return entryType === 'DEBIT' ? cents : -cents
}

/** Decimal text of whole cents. */
export function toDecimal(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, '0')
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}
