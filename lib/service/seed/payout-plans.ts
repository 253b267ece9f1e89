import type { Payout } from '#lib/contract/payouts.ts'
import { dayMs, hourMs, minuteMs } from '#lib/shared/time.ts'
import { requested, steps, type Step } from '../payouts/payout-steps.ts'
import { seededRandom, type Random } from './random.ts'

export type FundingName = 'hkd' | 'usd'

/** A beneficiary of seeded payouts. `rates`: units of its currency for one unit of the funding currency. */
type Beneficiary = {
  method: 'BANK_TRANSFER' | 'NETWORK_CARD'
  currency: string
  rates: Record<FundingName, string>
  destination: Payout['destination']
}

const beneficiaries: readonly Beneficiary[] = [
  {
    method: 'BANK_TRANSFER',
    currency: 'IDR',
    rates: { hkd: '2018.931', usd: '15747.66' },
    destination: {
      type: 'BANK_ACCOUNT',
      accountNumber: '5270118399',
      routingNumber: '014',
      country: 'ID',
      bankName: 'Bank Central Asia',
      bankAddress: 'Menara BCA, Jl. M.H. Thamrin 1, Jakarta 10310',
      wireCode: 'CENAIDJA',
      accountHolderName: 'Siti Rahmawati',
      accountHolderAddress: 'Jl. Sudirman Kav. 52, Jakarta 12190',
    },
  },
  {
    method: 'BANK_TRANSFER',
    currency: 'PHP',
    rates: { hkd: '7.4512', usd: '58.1194' },
    destination: {
      type: 'BANK_ACCOUNT',
      accountNumber: '001230456789',
      routingNumber: '010530667',
      country: 'PH',
      bankName: 'BDO Unibank',
      bankAddress: 'BDO Corporate Center, 7899 Makati Avenue, Makati',
      wireCode: 'BNORPHMM',
      accountHolderName: 'Maria Santos',
      accountHolderAddress: '6780 Ayala Avenue, Makati 1226',
    },
  },
  {
    method: 'BANK_TRANSFER',
    currency: 'INR',
    rates: { hkd: '10.8841', usd: '84.896' },
    destination: {
      type: 'BANK_ACCOUNT',
      accountNumber: '50100234567891',
      routingNumber: 'HDFC0000240',
      country: 'IN',
      bankName: 'HDFC Bank',
      bankAddress: 'HDFC Bank House, Senapati Bapat Marg, Mumbai 400013',
      wireCode: 'HDFCINBB',
      accountHolderName: 'Priya Nair',
      accountHolderAddress: '14 MG Road, Bengaluru 560001',
    },
  },
  {
    method: 'BANK_TRANSFER',
    currency: 'KRW',
    rates: { hkd: '178.2', usd: '1389.96' },
    destination: {
      type: 'BANK_ACCOUNT',
      accountNumber: '1002345678901',
      routingNumber: '020',
      country: 'KR',
      bankName: 'Woori Bank',
      bankAddress: '51 Sogong-ro, Jung-gu, Seoul',
      wireCode: 'HVBKKRSE',
      accountHolderName: 'Park Ji-ho',
      accountHolderAddress: '26 Eulji-ro, Jung-gu, Seoul 04533',
    },
  },
  {
    method: 'BANK_TRANSFER',
    currency: 'HKD',
    rates: { hkd: '1', usd: '7.8' },
    destination: {
      type: 'BANK_ACCOUNT',
      accountNumber: '024388123456882',
      routingNumber: '024',
      country: 'HK',
      bankName: 'Hang Seng Bank',
      bankAddress: '83 Des Voeux Road Central, Hong Kong',
      wireCode: 'HASEHKHH',
      accountHolderName: 'Harbour Lane Logistics Ltd',
      accountHolderAddress: '88 Queen’s Road Central, Central, Hong Kong',
    },
  },
  {
    method: 'NETWORK_CARD',
    currency: 'CNY',
    rates: { hkd: '0.9127', usd: '7.11906' },
    destination: {
      type: 'CARD_ACCOUNT',
      accountNumber: '7719',
      routingNumber: null,
      country: 'CN',
      bankName: null,
      bankAddress: null,
      wireCode: null,
      accountHolderName: 'Li Na',
      accountHolderAddress: '1 Century Avenue, Pudong, Shanghai 200120',
    },
  },
]

export type PayoutPlan = {
  id: string
  ageMs: number
  updatedAgeMs: number
  from: FundingName
  cents: number
  beneficiary: Beneficiary
  method: string
  status: string
  subStatus: string
  cancellationReason: string | null
  purpose: string
  xid: string | null
}

const outcomes = {
  ...steps,
  requested,
  cancelled: { ...steps.cancelled, cancellationReason: 'The beneficiary’s name does not match the account.' },
  /** Values outside the contract: a real service may send such ones any day. */
  unheardOfStatus: { status: 'under-recall', subStatus: 'ORDER_SENT_TO_BANK', cancellationReason: null },
  unheardOfSubStatus: { status: 'processing', subStatus: 'AWAITING_LOCAL_CLEARING_WINDOW', cancellationReason: null },
} as const satisfies Record<string, Step>

const newest: readonly (readonly [keyof typeof outcomes, number, number, FundingName, number])[] = [
  ['requested', 6 * minuteMs, 6 * minuteMs, 'hkd', 25_000_00],
  ['processing', 20 * hourMs, 19 * hourMs, 'hkd', 48_200_00],
  ['unheardOfSubStatus', 26 * hourMs, 25 * hourMs, 'usd', 3_150_00],
  ['completed', 2 * dayMs, dayMs, 'hkd', 12_640_00],
  ['cancelled', 3 * dayMs, 2 * dayMs, 'usd', 880_00],
  ['unheardOfStatus', 5 * dayMs, 4 * dayMs, 'usd', 6_400_00],
  ['failed', 6 * dayMs, 5 * dayMs, 'hkd', 9_300_00],
]

const purposes = ['salary', 'supplier-payment', 'family-support', 'self-use', 'other'] as const

/** The payouts of the last three months, newest first. */
export function planPayouts(): PayoutPlan[] {
  const random = seededRandom('payouts')
  const drawn = newest.map(([outcome, ageMs, updatedAgeMs, from, cents], place) => ({
    ...planned(random, place, { ageMs, updatedAgeMs, from, cents }),
    ...outcomes[outcome],
  }))
  const older = Array.from({ length: 33 }, (_, place) => {
    const ageMs = (8 + place * 2) * dayMs + random.between(0, 20) * hourMs
    const roll = random.between(1, 100)
    const outcome = roll <= 86 ? outcomes.completed : roll <= 94 ? outcomes.cancelled : outcomes.failed
    const from = random.pick(['hkd', 'hkd', 'usd'] as const)
    const cents = random.between(8, 400) * 100_00 + random.pick([0, 0, 50_00, 12_50])
    return {
      ...planned(random, newest.length + place, { ageMs, updatedAgeMs: ageMs - dayMs, from, cents }),
      ...outcome,
    }
  })
  return [...drawn, ...older]
}

function planned(
  random: Random,
  place: number,
  sent: Pick<PayoutPlan, 'ageMs' | 'updatedAgeMs' | 'from' | 'cents'>,
): Omit<PayoutPlan, keyof Step> {
  const beneficiary = beneficiaries[place % beneficiaries.length] ?? random.pick(beneficiaries)
  return {
    ...sent,
    id: seededRandom(`payout:${place}`).uuid(),
    beneficiary,
    method: place === 10 ? 'BANK_WIRE' : beneficiary.method,
    purpose: random.pick(purposes),
    xid: place % 3 === 0 ? `PAY-${String(2600 + place)}` : null,
  }
}
