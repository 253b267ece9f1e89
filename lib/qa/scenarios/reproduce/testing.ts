import type { Card, CardAccountTransaction, FeeEntry } from '#lib/contract/records.ts'
import type { AccountCase, PayoutCase } from './case.ts'

/** Cases whose every personal field holds a text of this person. */
export const canary = {
  name: 'Katharina Quellenberg',
  embossed: 'KATHARINA QUELLENBERG',
  phone: '+85298761234',
  email: 'katharina.quellenberg@example.org',
  address: '17 Quellenberg Lane, Sai Kung',
  document: 'K765432(1)',
  bankAccount: '881234567890123',
  reference: 'quellenberg-4711',
}

/** Parts of the person's texts that no output may have, in lower case. */
export const canaryParts = ['quellenberg', 'katharina', '98761234', '9876 1234', 'k765432', '8812345678', '4711']

const now = new Date('2026-11-20T12:00:00.000Z')
const ago = (hours: number) => new Date(now.getTime() - hours * 3_600_000).toISOString()
const id = (last: number) => `0b6d2c1e-4711-4000-8000-${String(last).padStart(12, '0')}`

export function exampleCard(given: Partial<Card> = {}): Card {
  return {
    id: id(1),
    cardAccountId: id(900),
    xid: canary.reference,
    xmetadata: { [canary.name]: canary.email },
    status: 'active',
    embossedName: canary.embossed,
    network: 'card_network_1',
    product: {
      id: id(800),
      name: canary.name,
      imageUrl: canary.name,
      cardType: 'physical',
      cardImageDetails: null,
    },
    expiryMonth: 8,
    expiryYear: 2030,
    last4: '4711',
    replacedBy: null,
    cardLimit: 20_000,
    dailyAtmLimit: 400,
    dailyPurchaseLimit: 2000,
    dailyLimit: 2400,
    singleTransactionLimit: 1000,
    availableLimit: 900,
    cardPresentLimit: 2000,
    cardNotPresentLimit: 1500,
    mobile: canary.phone,
    cardEmail: canary.email,
    createdAt: ago(2000),
    ...given,
  }
}

export function exampleEntry(given: Partial<CardAccountTransaction> = {}): CardAccountTransaction {
  return {
    id: id(10),
    xid: null,
    xmetadata: null,
    refId: 'TXN4711',
    cardAccountId: id(900),
    cardId: id(1),
    cardLast4: '4711',
    cardEmbossedName: canary.embossed,
    createdAt: ago(100),
    status: 'posted',
    postedAt: ago(76),
    intent: 'charge',
    authorization: {
      id: id(700),
      currency: 'HKD',
      amount: 80.5,
      createdAt: ago(100),
      type: 'PURCHASE',
      responseCode: '00',
      responseMessage: canary.name,
      cardPresent: true,
    },
    merchant: { name: 'Tim Ho Wan', mcc: '5812', category: 'Restaurants', country: 'HK' },
    currency: 'HKD',
    amount: 80.5,
    entryType: 'CREDIT',
    description: 'Tim Ho Wan',
    disputeStatus: null,
    grossAmount: 80.5,
    ...given,
  }
}

/** An entry that is no charge. */
export function otherEntry(given: Partial<CardAccountTransaction>): CardAccountTransaction {
  return exampleEntry({ authorization: null, merchant: null, cardId: null, description: canary.name, ...given })
}

export function exampleFee(transaction: CardAccountTransaction, given: Partial<FeeEntry> = {}): FeeEntry {
  const { amount, currency, status, createdAt } = transaction
  const fee = { id: id(600), transaction, amount, currency, intent: 'late-payment-fee', intentId: id(601), createdAt }
  return { ...fee, status: status === 'declined' ? null : status, ...given }
}

export function exampleCase(given: Partial<AccountCase> = {}): AccountCase {
  const fee = otherEntry({ id: id(11), intent: 'fee', createdAt: ago(90), status: 'void', amount: 20 })
  const transactions = given.transactions ?? [
    fee,
    exampleEntry(),
    otherEntry({ id: id(12), intent: 'topup', entryType: 'DEBIT', amount: 500, createdAt: ago(200), xid: 'x-4711' }),
  ]
  return {
    kind: 'account',
    account: {
      id: id(900),
      xid: canary.reference,
      xmetadata: { [canary.name]: canary.address, list: [canary.phone], deep: { document: canary.document } },
      name: canary.name,
      phoneNumber: canary.phone,
      identityType: 'individual',
      accountType: 'prepaid',
      currency: 'HKD',
      limit: 0,
      balance: 419.5,
      outstanding: 0,
      available: 419.5,
      disputeAmount: 0,
      clientIdentityStatus: 'rejected',
      createdAt: ago(2400),
    },
    identity: {
      cardAccountId: id(900),
      status: 'rejected',
      rejectedReason: 'Invalid ID (name check hit)',
      rejectionAdditionalInfo: `Not ${canary.name}`,
      individual: null,
    },
    cards: [exampleCard()],
    transactions,
    fees: [exampleFee(fee)],
    transactionId: null,
    isTruncated: false,
    now,
    ...given,
  }
}

export function examplePayout(given: Partial<PayoutCase['payout']> = {}): PayoutCase {
  return {
    kind: 'payout',
    now,
    payout: {
      id: id(500),
      xid: canary.reference,
      xmetadata: [canary.name],
      created: ago(50),
      updated: ago(49),
      method: 'BANK_TRANSFER',
      destination: {
        type: 'BANK_ACCOUNT',
        accountNumber: canary.bankAccount,
        routingNumber: '4711',
        country: 'HK',
        bankName: canary.name,
        bankAddress: canary.address,
        wireCode: 'HASEHKHH',
        accountHolderName: canary.name,
        accountHolderAddress: canary.address,
      },
      accountId: id(501),
      sourceCurrency: 'HKD',
      destinationCurrency: 'HKD',
      sourceAmount: 9300,
      destinationAmount: 9300,
      rate: 1,
      status: 'failed',
      subStatus: 'ORDER_REJECTED_BY_BANK',
      cancellationReason: canary.name,
      ...given,
    },
  }
}
