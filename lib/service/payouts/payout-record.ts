import type { PayoutMethod } from '#lib/contract/payout-rules.ts'
import { Payout, type PayoutDestination, PayoutQuote } from '#lib/contract/payouts.ts'
import { addressInPinyin } from '#lib/contract/pinyin.ts'
import type { payouts, quotes } from '../tables/payouts.ts'
import { wireRecord } from '../wire-record.ts'
import { findBank } from './banks.ts'

export type PayoutRow = typeof payouts.$inferSelect
export type QuoteRow = typeof quotes.$inferSelect

/**
 * The destination of a payout, as it is stored and shown. Of a card account only the last four digits are stored: a card
 * number is in no row of the database and in no response.
 */
export function destinationRecord(
  method: PayoutMethod,
  country: string,
  destination: PayoutDestination,
): Payout['destination'] {
  const bank = destination.bankCode === undefined ? null : findBank(country, destination.bankCode)
  const accountNumber = String(destination.accountNumber ?? '')
  const isCard = method === 'NETWORK_CARD'
  return {
    type: isCard ? 'CARD_ACCOUNT' : 'BANK_ACCOUNT',
    accountNumber: isCard ? accountNumber.slice(-4) : accountNumber,
    routingNumber: bank?.code ?? null,
    country,
    bankName: bank?.name ?? null,
    bankAddress: bank ? `${bank.address}, ${bank.city}` : null,
    wireCode: bank?.wireCode ?? null,
    accountHolderName: [destination.firstName, destination.surname].join(' ').trim(),
    accountHolderAddress: addressInPinyin(destination.address ?? ''),
  }
}

const payoutRecord = wireRecord(Payout)
const quoteRecord = wireRecord(PayoutQuote)

export function toPayout(row: PayoutRow): Payout {
  return payoutRecord(row)
}

export function toQuote(row: QuoteRow): PayoutQuote {
  return quoteRecord(row)
}
