import { dayMs, hourMs, minuteMs } from '#lib/shared/time.ts'
import { merchants, type Merchant } from './merchants.ts'
import type { Person } from './people.ts'
import { type AccountPlan, type CardPlan, type EntryPlan, effectCents, entry, type Extra } from './plan.ts'

function person(name: string, chineseName: string | null, gender: Person['gender'], nationality = 'HK'): Person {
  const names = name.split(' ')
  const [lastName = '', ...given] = names
  return chineseName === null && nationality !== 'KR'
    ? { firstName: names.slice(0, -1).join(' '), lastName: names.at(-1) ?? '', chineseName, gender, nationality }
    : { firstName: given.join(' '), lastName, chineseName, gender, nationality }
}

function merchant(name: string): Merchant {
  const found = merchants.find((candidate) => candidate.name === name)
  if (!found) throw new TypeError(`no such merchant: ${name}`)
  return found
}

function charge(ageMs: number, cents: number, name: string, extra: Extra & { atm?: true } = {}): EntryPlan {
  const { atm, ...rest } = extra
  return entry(ageMs, 'charge', cents, name, {
    status: ageMs < dayMs ? 'pending' : 'posted',
    card: 0,
    purchase: { merchant: merchant(name), hundredths: cents, type: atm ? 'ATM' : 'PURCHASE' },
    ...rest,
  })
}

function declined(
  ageMs: number,
  cents: number,
  name: string,
  responseCode: string,
  responseMessage: string,
): EntryPlan {
  const purchase = { merchant: merchant(name), hundredths: cents, type: 'PURCHASE' as const }
  return charge(ageMs, cents, name, {
    status: 'declined',
    purchase: { ...purchase, declined: { responseCode, responseMessage } },
  })
}

function fee(ageMs: number, cents: number, feeIntent: string, description: string, extra: Extra = {}): EntryPlan {
  return entry(ageMs, 'fee', cents, description, { feeIntent, ...extra })
}

/** Adds the repayment or top-up that brings the history to the balance. */
function endingAt(balanceCents: number, settling: EntryPlan, entries: EntryPlan[]): EntryPlan[] {
  const others = entries.reduce((total, one) => total + effectCents(one), 0)
  return [...entries, { ...settling, cents: balanceCents - others }]
}

const repayment = (ageMs: number) => entry(ageMs, 'repay', 0, 'Repayment by FPS')
const topUp = (ageMs: number) => entry(ageMs, 'topup', 0, 'Top-up by bank transfer')

const card =
  (product: CardPlan['product']) =>
  (ageMs: number, status: CardPlan['status'], extra: Partial<CardPlan> = {}): CardPlan => ({
    ageMs,
    status,
    product,
    ...extra,
  })
const physical = card('everyday')
const virtual = card('online')

const firstAgeMs = 91 * dayMs

/** The first accounts of the list, written by hand: every status, intent and dispute status is among them. */
export const handwrittenAccounts: readonly AccountPlan[] = [
  {
    ageMs: firstAgeMs,
    holder: { person: person('Chan Tai Man', '陳大文', 'MALE') },
    accountType: 'credit',
    currency: 'HKD',
    limitCents: 50_000_00,
    xid: 'EMP-1001',
    xmetadata: { department: 'Engineering', region: 'Hong Kong Island', costCentre: 4100 },
    identity: { status: 'approved' },
    cards: [
      physical(90 * dayMs, 'active', {
        last4: '1881',
        xid: 'EMP-1001-CARD',
        limits: { singleTransactionLimit: 10_000_00 },
      }),
      virtual(40 * dayMs, 'active', { last4: '0704' }),
    ],
    entries: endingAt(-12_480_50, repayment(20 * dayMs), [
      charge(2 * hourMs, 388_00, 'HKTaxi'),
      charge(5 * hourMs, 1_299_00, 'HKTVmall', { card: 1 }),
      fee(9 * hourMs, 45_00, 'foreign-transaction-fee', 'Foreign transaction fee', { status: 'pending', card: 1 }),
      declined(26 * hourMs, 12_800_00, 'Fortress World', '61', 'Exceeds the single transaction limit'),
      charge(2 * dayMs, 6_180_00, 'Cathay Pacific', { card: 1 }),
      charge(3 * dayMs, 512_40, 'Tim Ho Wan North Point', { disputeStatus: 'success' }),
      entry(4 * dayMs, 'cashback', 96_20, 'Cashback of the month'),
      charge(6 * dayMs, 468_00, 'csl Mobile', { card: 1, disputeStatus: 'failed' }),
      charge(8 * dayMs, 2_400_00, 'Regal Airport Hotel', { status: 'void' }),
      entry(9 * dayMs, 'withdraw', 2_000_00, 'ATM · HSBC Central', { card: 0 }),
      fee(9 * dayMs, 25_00, 'atm-withdrawal-fee', 'ATM withdrawal fee', { card: 0, xid: 'FEE-2026-0107' }),
      fee(12 * dayMs, 120_00, 'late-payment-fee', 'Late payment fee', { status: 'void' }),
      entry(15 * dayMs, 'interest', 214_37, 'Interest on the outstanding balance'),
      charge(18 * dayMs, 1_340_00, 'CLP Power', { card: 1, disputeStatus: 'reported' }),
      entry(21 * dayMs, 'transfer', 1_500_00, 'Transfer to Wong Chi Fung'),
      entry(25 * dayMs, 'other', 18_60, 'Adjustment of a rounding difference', { entryType: 'DEBIT' }),
      charge(33 * dayMs, 4_280_00, 'Klook', { card: 1 }),
      charge(41 * dayMs, 9_960_00, 'Cathay Pacific'),
      charge(52 * dayMs, 3_075_00, 'Fortress World'),
      charge(70 * dayMs, 876_50, 'Wellcome Sai Ying Pun'),
      fee(89 * dayMs, 300_00, 'annual-fee', 'Annual fee'),
    ]),
  },
  {
    ageMs: firstAgeMs + 9 * hourMs,
    holder: { company: 'Meridian Travel Ltd' },
    accountType: 'prepaid',
    currency: 'USD',
    limitCents: 0,
    xid: 'CORP-0007',
    xmetadata: { department: 'Travel', region: 'Kowloon' },
    identity: { status: 'approved' },
    cards: [
      physical(90 * dayMs, 'cancelled', { product: 'travel', last4: '6611', replacedBy: 1 }),
      physical(35 * dayMs, 'active', { product: 'travel', last4: '3020' }),
      virtual(80 * dayMs, 'active', { product: 'project', last4: '7755' }),
      physical(2 * dayMs, 'pending-issue', { product: 'travel' }),
      virtual(60 * dayMs, 'suspended', { last4: '9018', lockedBeforeSuspension: true }),
    ],
    entries: endingAt(48_210_00, topUp(85 * dayMs), [
      charge(3 * hourMs, 612_00, 'Amazon Web Services', { card: 2 }),
      charge(30 * hourMs, 96_00, 'Notion Labs', { card: 2 }),
      entry(5 * dayMs, 'refund', 180_00, 'Refund · Figma', { card: 2 }),
      charge(11 * dayMs, 180_00, 'Figma', { card: 2, reversedAgeMs: 5 * dayMs }),
      charge(14 * dayMs, 400_00, 'Amazon Web Services', { card: 1, atm: true }),
      entry(20 * dayMs, 'topup', 15_000_00, 'Top-up by bank transfer'),
      entry(34 * dayMs, 'transfer', 2_400_00, 'Transfer to Kim Seo-yeon'),
      fee(35 * dayMs, 15_00, 'card-replacement-fee', 'Card replacement fee', { card: 1 }),
      charge(58 * dayMs, 640_00, 'Amazon Web Services', { card: 4 }),
    ]),
  },
  {
    ageMs: firstAgeMs + 20 * hourMs,
    holder: { person: person('Lee Ka Yan', '李嘉欣', 'FEMALE') },
    accountType: 'credit',
    currency: 'HKD',
    limitCents: 20_000_00,
    xid: 'EMP-2041-ACCOUNT',
    xmetadata: { department: 'Sales', region: 'Kowloon' },
    identity: { status: 'approved' },
    cards: [
      physical(80 * dayMs, 'locked', {
        last4: '4242',
        expiryMonth: 8,
        expiryYear: 2029,
        xid: 'EMP-2041',
        limits: { cardNotPresentLimit: 5_000_00 },
      }),
    ],
    entries: endingAt(-3_905_00, repayment(3 * dayMs), [
      charge(50 * minuteMs, 250_00, 'MTR Octopus top-up'),
      declined(90 * minuteMs, 5_630_00, 'HKTVmall', '61', 'Exceeds the card-not-present limit'),
      charge(28 * hourMs, 1_880_00, 'Cathay Pacific'),
      entry(2 * dayMs, 'refund', 420_00, 'Refund · Zalora', { card: 0 }),
      charge(4 * dayMs, 420_00, 'Zalora', { reversedAgeMs: 2 * dayMs }),
      entry(4 * dayMs, 'withdraw', 2_000_00, 'ATM · HSBC Central', { card: 0 }),
      charge(7 * dayMs, 1_250_00, 'Klook', { disputeStatus: 'requested' }),
      fee(9 * dayMs, 120_00, 'late-payment-fee', 'Late payment fee', { status: 'void' }),
      charge(23 * dayMs, 2_118_00, 'HKTVmall'),
      charge(47 * dayMs, 1_006_50, 'Sasa Cosmetics Mong Kok'),
    ]),
  },
  {
    ageMs: firstAgeMs + 31 * hourMs,
    holder: { person: person('Rahul Mehta', null, 'MALE', 'IN') },
    accountType: 'credit',
    currency: 'USD',
    limitCents: 5_000_00,
    xmetadata: { department: 'Engineering', region: 'Overseas' },
    identity: { status: 'pending' },
    cards: [physical(9 * dayMs, 'pending-activation', { last4: '5206' })],
    entries: endingAt(-640_18, repayment(40 * dayMs), [
      fee(9 * dayMs, 20_00, 'card-issuance-fee', 'Card issuance fee'),
      entry(21 * dayMs, 'interest', 12_18, 'Interest on the outstanding balance'),
      entry(62 * dayMs, 'transfer', 900_00, 'Transfer to Daniel Reyes'),
    ]),
  },
  {
    ageMs: firstAgeMs + 47 * hourMs,
    holder: { person: person('Kwok Wing Sze', '郭詠詩', 'FEMALE') },
    accountType: 'prepaid',
    currency: 'HKD',
    limitCents: 0,
    xid: 'EMP-3310',
    xmetadata: { department: 'Support', region: 'New Territories' },
    identity: {
      status: 'rejected',
      rejectedReason: 'Incomplete Info (not residential address)',
      rejectionAdditionalInfo: 'The address is an office. Please give the address where the cardholder lives.',
    },
    cards: [],
    entries: endingAt(8_120_00, topUp(60 * dayMs), [
      entry(13 * dayMs, 'cashback', 20_00, 'Welcome bonus'),
      entry(29 * dayMs, 'topup', 2_000_00, 'Top-up by FPS'),
    ]),
  },
  {
    ageMs: firstAgeMs + 60 * hourMs,
    holder: { person: person('Siti Rahmawati', null, 'FEMALE', 'ID') },
    accountType: 'credit',
    currency: 'USD',
    limitCents: 10_000_00,
    xmetadata: { department: 'Sales', region: 'Overseas' },
    identity: { status: 'approved' },
    cards: [physical(80 * dayMs, 'active', { last4: '8319' }), virtual(70 * dayMs, 'active', { product: 'project' })],
    entries: endingAt(-2_210_75, repayment(22 * dayMs), [
      charge(7 * hourMs, 84_50, 'Notion Labs', { card: 1 }),
      charge(9 * dayMs, 310_00, 'Amazon Web Services', { card: 1, disputeStatus: 'pending' }),
      charge(17 * dayMs, 1_420_25, 'Amazon Web Services'),
      charge(36 * dayMs, 2_006_00, 'Figma', { card: 1 }),
    ]),
  },
  {
    ageMs: firstAgeMs + 71 * hourMs,
    holder: { person: person('Wong Chi Fung', '黃志峰', 'MALE') },
    accountType: 'credit',
    currency: 'HKD',
    limitCents: 50_000_00,
    xmetadata: { department: 'Operations', region: 'Hong Kong Island' },
    identity: { status: 'approved' },
    cards: [
      physical(85 * dayMs, 'active', { last4: '2468' }),
      virtual(50 * dayMs, 'suspended'),
      virtual(44 * dayMs, 'cancelled', { product: 'project' }),
    ],
    entries: endingAt(0, repayment(3 * dayMs), [
      entry(21 * dayMs, 'transfer', 1_500_00, 'Transfer from Chan Tai Man', { entryType: 'DEBIT' }),
      charge(26 * dayMs, 3_180_00, 'Fortress World'),
      charge(45 * dayMs, 742_30, 'ParknShop Taikoo'),
      charge(63 * dayMs, 1_500_00, 'CLP Power'),
    ]),
  },
  {
    ageMs: firstAgeMs + 83 * hourMs,
    holder: { person: person('Kim Seo-yeon', null, 'FEMALE', 'KR') },
    accountType: 'prepaid',
    currency: 'USD',
    limitCents: 0,
    xmetadata: { department: 'Travel', region: 'Overseas' },
    identity: { status: 'approved' },
    cards: [physical(75 * dayMs, 'active', { product: 'travel', last4: '1004' })],
    entries: endingAt(1_904_33, topUp(74 * dayMs), [
      charge(20 * hourMs, 46_75, 'Notion Labs'),
      entry(34 * dayMs, 'transfer', 2_400_00, 'Transfer from Meridian Travel Ltd', { entryType: 'DEBIT' }),
      charge(31 * dayMs, 3_618_40, 'Amazon Web Services'),
    ]),
  },
  {
    ageMs: firstAgeMs + 95 * hourMs,
    holder: { person: person('Ho Mei Ling', '何美玲', 'FEMALE') },
    accountType: 'credit',
    currency: 'HKD',
    limitCents: 20_000_00,
    xmetadata: { department: 'Support', region: 'Kowloon' },
    identity: { status: 'approved' },
    cards: [physical(70 * dayMs, 'active', { last4: '6090' })],
    entries: endingAt(-19_870_00, repayment(30 * dayMs), [
      declined(3 * hourMs, 980_00, 'Regal Airport Hotel', '51', 'Insufficient available balance'),
      charge(2 * dayMs, 6_400_00, 'Cathay Pacific'),
      charge(10 * dayMs, 8_240_00, 'Cathay Pacific'),
      charge(19 * dayMs, 4_600_00, 'Klook'),
      charge(38 * dayMs, 2_950_00, 'Regal Airport Hotel'),
    ]),
  },
  {
    ageMs: firstAgeMs + 110 * hourMs,
    holder: { person: person('Daniel Reyes', null, 'MALE', 'PH') },
    accountType: 'credit',
    currency: 'USD',
    limitCents: 2_000_00,
    xmetadata: { department: 'Engineering', region: 'Overseas' },
    identity: { status: 'approved' },
    cards: [physical(60 * dayMs, 'active', { last4: '7731' }), virtual(58 * dayMs, 'locked')],
    entries: endingAt(-88_20, repayment(5 * dayMs), [
      charge(31 * hourMs, 88_20, 'Figma', { card: 1 }),
      charge(24 * dayMs, 1_311_00, 'Amazon Web Services'),
      entry(62 * dayMs, 'transfer', 900_00, 'Transfer from Rahul Mehta', { entryType: 'DEBIT' }),
    ]),
  },
]
