import { dayMs, hourMs, minuteMs } from '#lib/shared/time.ts'
import { requested, steps, type Step } from '../payouts/payout-steps.ts'
import { randomOf, type Random } from './random.ts'

export type FundingName = 'hkd' | 'usd'

/** A beneficiary of seeded payouts, and the rates of HKD and USD to its currency. */
type Beneficiary = {
  holder: string
  address: string
  method: 'BANK_TRANSFER' | 'NETWORK_CARD'
  type: 'BANK_ACCOUNT' | 'CARD_ACCOUNT'
  accountNumber: string
  country: string
  currency: string
  bankName: string | null
  bankAddress: string | null
  wireCode: string | null
  routingNumber: string | null
  /** Units of `currency` for one unit of the funding currency, in millionths. */
  rateMillionths: Record<FundingName, number>
  hasMinorUnit: boolean
}

const bankAccount = { method: 'BANK_TRANSFER', type: 'BANK_ACCOUNT', hasMinorUnit: true } as const

const beneficiaries: readonly Beneficiary[] = [
  {
    ...bankAccount,
    holder: 'Siti Rahmawati',
    address: 'Jl. Sudirman Kav. 52, Jakarta 12190',
    accountNumber: '5270118399',
    country: 'ID',
    currency: 'IDR',
    bankName: 'Bank Central Asia',
    bankAddress: 'Menara BCA, Jl. M.H. Thamrin 1, Jakarta 10310',
    wireCode: 'CENAIDJA',
    routingNumber: '014',
    rateMillionths: { hkd: 2_018_931_000, usd: 15_747_660_000 },
    hasMinorUnit: false,
  },
  {
    ...bankAccount,
    holder: 'Maria Santos',
    address: '6780 Ayala Avenue, Makati 1226',
    accountNumber: '001230456789',
    country: 'PH',
    currency: 'PHP',
    bankName: 'BDO Unibank',
    bankAddress: 'BDO Corporate Center, 7899 Makati Avenue, Makati',
    wireCode: 'BNORPHMM',
    routingNumber: '010530667',
    rateMillionths: { hkd: 7_451_200, usd: 58_119_400 },
  },
  {
    ...bankAccount,
    holder: 'Priya Nair',
    address: '14 MG Road, Bengaluru 560001',
    accountNumber: '50100234567891',
    country: 'IN',
    currency: 'INR',
    bankName: 'HDFC Bank',
    bankAddress: 'HDFC Bank House, Senapati Bapat Marg, Mumbai 400013',
    wireCode: 'HDFCINBB',
    routingNumber: 'HDFC0000240',
    rateMillionths: { hkd: 10_884_100, usd: 84_896_000 },
  },
  {
    ...bankAccount,
    holder: 'Park Ji-ho',
    address: '26 Eulji-ro, Jung-gu, Seoul 04533',
    accountNumber: '1002345678901',
    country: 'KR',
    currency: 'KRW',
    bankName: 'Woori Bank',
    bankAddress: '51 Sogong-ro, Jung-gu, Seoul',
    wireCode: 'HVBKKRSE',
    routingNumber: '020',
    rateMillionths: { hkd: 178_200_000, usd: 1_389_960_000 },
    hasMinorUnit: false,
  },
  {
    ...bankAccount,
    holder: 'Harbour Lane Logistics Ltd',
    address: '88 Queen’s Road Central, Central, Hong Kong',
    accountNumber: '024388123456882',
    country: 'HK',
    currency: 'HKD',
    bankName: 'Hang Seng Bank',
    bankAddress: '83 Des Voeux Road Central, Hong Kong',
    wireCode: 'HASEHKHH',
    routingNumber: '024',
    rateMillionths: { hkd: 1_000_000, usd: 7_800_000 },
  },
  {
    method: 'NETWORK_CARD',
    type: 'CARD_ACCOUNT',
    holder: 'Li Na',
    address: '1 Century Avenue, Pudong, Shanghai 200120',
    accountNumber: '7719',
    country: 'CN',
    currency: 'CNY',
    bankName: null,
    bankAddress: null,
    wireCode: null,
    routingNumber: null,
    rateMillionths: { hkd: 912_700, usd: 7_119_060 },
    hasMinorUnit: true,
  },
]

export type PayoutPlan = {
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
  const random = randomOf('payouts')
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
    beneficiary,
    method: place === 10 ? 'BANK_WIRE' : beneficiary.method,
    purpose: random.pick(purposes),
    xid: place % 3 === 0 ? `PAY-${String(2600 + place)}` : null,
  }
}
