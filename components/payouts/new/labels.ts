import { count } from '#components/ui/count.ts'
import type { PayoutMethod } from '#lib/contract/payout-rules.ts'
import { asSentence, withoutCapital } from '#lib/shared/texts.ts'

const labels: Record<string, string> = {
  method: 'Method',
  destinationCountry: 'Country',
  destinationCurrency: 'Currency',
  accountId: 'Pay from',
  sourceCurrency: 'Pay from',
  'destination.bankCode': 'Bank',
  'destination.accountNumber': 'Account number',
  'destination.firstName': 'First name',
  'destination.surname': 'Surname',
  'destination.firstNameCN': 'First name in Chinese',
  'destination.surnameCN': 'Surname in Chinese',
  'destination.address': 'Address',
  'destination.mobileNumber': 'Beneficiary’s mobile number',
  'destination.email': 'Beneficiary’s e-mail',
  'source.mobileNumber': 'Sender’s mobile number',
  sourceAmount: 'You send',
  destinationAmount: 'They receive',
  amount: 'Amount',
  purpose: 'Purpose',
  sourceOfFunds: 'Source of funds',
  remarks: 'Remarks',
  xid: 'External ID',
  quoteId: 'Quote',
  similarShown: 'Warning',
  confirmDigits: 'Confirmation',
  xmetadata: 'Metadata',
}

/** A field's label. A card payout goes to a card. */
export function fieldLabel(path: string, method: string | null): string {
  if (path === 'destination.accountNumber' && method === 'NETWORK_CARD') return 'Card number'
  return labels[path] ?? path
}

const nouns: Record<string, string> = {
  sourceAmount: 'the amount that you send',
  destinationAmount: 'the amount that they receive',
  accountId: 'the account to pay from',
  sourceCurrency: 'the currency of the account to pay from',
}

/** A field in the middle of a sentence: `the card number`. */
export function fieldNoun(path: string, method: PayoutMethod): string {
  return nouns[path] ?? `the ${withoutCapital(fieldLabel(path, method))}`
}

/** A rule's message at its field, as a sentence: `The address must be longer than 20 characters.` */
export function problemSentence(path: string, message: string, method: PayoutMethod): string {
  return asSentence(`${fieldNoun(path, method)} ${simplifyMessage(message, method)}`)
}

/** The labels of the wire's codes. */
function simplifyMessage(message: string, method: PayoutMethod): string {
  return message
    .replaceAll(/is required for (?:NETWORK_CARD|BANK_TRANSFER)/g, 'is required')
    .replaceAll(/\b(?:destination|source)\.[A-Za-z]+\b|\b(?:source|destination)Amount\b/g, (path) =>
      fieldNoun(path, method),
    )
    .replaceAll('NETWORK_CARD', 'a card payout')
    .replaceAll('BANK_TRANSFER', 'a bank transfer')
    .replaceAll(/must be an integer in ([A-Z]{3})/g, 'must be a whole number of $1')
    .replaceAll(/\b\d{4,20}(?= [A-Z]{3}\b)/g, (digits) => count.format(BigInt(digits)))
}

/** Digits in groups of four, as they are printed on a card. */
export function groupedDigits(digits: string): string {
  return digits.replaceAll(/(\d{4})(?=\d)/g, '$1 ')
}

/** The position of the caret in grouped digits with so many digits before it. */
export function caretAfter(digitsBefore: number): number {
  return digitsBefore + (digitsBefore === 0 ? 0 : Math.floor((digitsBefore - 1) / 4))
}
