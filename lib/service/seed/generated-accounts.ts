import { declineReasons } from '#lib/contract/sandbox.ts'
import { dayMs, hourMs } from '#lib/shared/time.ts'
import { cashMachines, hkdTenThousandths, merchants, type Merchant } from './merchants.ts'
import { pickCompany, pickPerson } from './people.ts'
import { effectCents, entry, type AccountPlan, type CardPlan, type EntryPlan } from './plan.ts'
import { seededRandom, type Random } from './random.ts'

const departments = ['Engineering', 'Sales', 'Travel', 'Support', 'Operations', 'Finance', 'Marketing'] as const
const regions = ['Hong Kong Island', 'Kowloon', 'New Territories', 'Overseas'] as const

const rejections = [
  ['Additional Doc for Non-HK Resident (unclear image)', 'The back of the travel permit cannot be read.'],
  ['Additional Doc for Non-HK Resident (hotel info invalid)', 'The booking does not cover the stay.'],
  ['Invalid ID (name check hit)', 'The name on the document differs from the name of the account.'],
  ['Additional Doc for Non-HK Resident (expired document)', 'The visa expired before the application.'],
] as const

/** The accounts of a demonstration: they get a long, recent history. Those behind them are there for their number. */
const demonstrationAccounts = 60
const longestHistoryMs = 90 * dayMs

/** Plans the account at this place of the list; the same place gives the same account, however many there are. */
export function generateAccount(place: number): AccountPlan {
  const random = seededRandom(`account:${place}`)
  const currency = random.chance(65) ? 'HKD' : 'USD'
  const unit = currency === 'HKD' ? 100 : 20
  const accountType = random.chance(60) ? 'credit' : 'prepaid'
  const isCompany = random.chance(8)
  const ageMs = ageOfPlaceMs(place)
  const limitCents = accountType === 'credit' ? random.pick([100, 200, 300, 500]) * unit * 100 : 0
  const cards = planCards(random, place, ageMs, isCompany)
  return {
    ageMs,
    holder: isCompany ? { company: pickCompany(random) } : { person: pickPerson(random) },
    accountType,
    currency,
    limitCents,
    ...(random.chance(35) ? { xid: `EMP-${10_000 + place}` } : {}),
    xmetadata: planXmetadata(random),
    identity: planIdentity(random),
    cards,
    entries: planEntries(random, { place, ageMs, currency, limitCents, accountType, cards }),
  }
}

/** Older the farther down the list: the first accounts behind the drawn ones are three months old, the last three years. */
function ageOfPlaceMs(place: number): number {
  return Math.floor(96 * dayMs + 1000 * dayMs * (1 - 500 / (500 + place)))
}

function planXmetadata(random: Random): AccountPlan['xmetadata'] {
  const roll = random.between(1, 100)
  if (roll <= 10) return null
  if (roll <= 12) return 'moved from the previous program'
  if (roll <= 14) return ['moved from the previous program', 'paper file archived']
  if (roll <= 20) return { region: random.pick(regions) }
  return { department: random.pick(departments), region: random.pick(regions) }
}

function planIdentity(random: Random): AccountPlan['identity'] {
  const roll = random.between(1, 100)
  if (roll <= 8) return { status: 'pending' }
  if (roll > 14) return { status: 'approved' }
  const [rejectedReason, rejectionAdditionalInfo] = random.pick(rejections)
  return { status: 'rejected', rejectedReason, rejectionAdditionalInfo }
}

function planCards(random: Random, place: number, accountAgeMs: number, isCompany: boolean): CardPlan[] {
  const count = place < demonstrationAccounts ? random.between(1, isCompany ? 5 : 3) : random.chance(25) ? 2 : 1
  const oldest = accountAgeMs - dayMs
  const cards: CardPlan[] = []
  for (let index = 0; index < count; index++) {
    const product = random.pick(['everyday', 'everyday', 'travel', 'online', 'project'] as const)
    const isPhysical = product === 'everyday' || product === 'travel'
    const roll = random.between(1, 100)
    const ageMs = oldest - index * 5 * dayMs
    if (index > 0 && isPhysical && roll <= 6) {
      cards.push({ product, status: 'pending-issue', ageMs: random.between(2, 110) * hourMs })
    } else if (isPhysical && roll <= 12) {
      cards.push({ product, status: 'pending-activation', ageMs: random.between(6, 20) * dayMs })
    } else if (roll <= 18) {
      cards.push({ product, status: 'locked', ageMs })
    } else if (roll <= 22) {
      cards.push({ product, status: 'suspended', ageMs, lockedBeforeSuspension: random.chance(30) })
    } else if (roll <= 27 && index + 1 < count) {
      cards.push({ product, status: 'cancelled', ageMs, replacedBy: index + 1 })
    } else {
      cards.push({ product, status: 'active', ageMs })
    }
  }
  return cards
}

type Setting = Pick<AccountPlan, 'ageMs' | 'currency' | 'limitCents' | 'accountType' | 'cards'> & { place: number }

/** Simulates the account's months in order, so that it never spends more than it has. */
function planEntries(random: Random, setting: Setting): EntryPlan[] {
  const entries: EntryPlan[] = []
  let balance = 0
  for (const ageMs of entryAges(random, setting)) {
    const available = balance + setting.limitCents
    const next = planEntry(random, setting, { ageMs, balance, available, entries })
    balance += effectCents(next)
    entries.push(next)
  }
  return entries
}

function entryAges(random: Random, { place, ageMs }: Setting): number[] {
  const span = Math.min(ageMs - 2 * dayMs, longestHistoryMs)
  const isDemonstration = place < demonstrationAccounts
  const count = isDemonstration ? random.between(24, 56) : 8 + (place % 5)
  const isQuietToday = !isDemonstration && place % 50 !== 0
  return Array.from({ length: count }, () => {
    const share = random.next() / 2 ** 32
    if (isDemonstration) return Math.floor(span * share * share)
    return Math.floor(isQuietToday ? dayMs + (span - dayMs) * share : span * share)
  }).sort((a, b) => b - a)
}

type Moment = { ageMs: number; balance: number; available: number; entries: readonly EntryPlan[] }

function planEntry(random: Random, setting: Setting, moment: Moment): EntryPlan {
  const { ageMs } = moment
  const unit = setting.currency === 'HKD' ? 100 : 13
  if (moment.available < 20 * unit * 100) {
    return setting.accountType === 'prepaid'
      ? entry(ageMs, 'topup', random.between(20, 200) * unit * 100, 'Top-up by bank transfer')
      : entry(ageMs, 'repay', Math.max(-moment.balance, 100), 'Repayment by FPS')
  }
  const card = usableCard(random, setting.cards, moment.ageMs)
  const roll = random.between(1, 100)
  if (roll <= 66 && card !== null) return planCharge(random, setting, moment, card)
  if (roll <= 72 && card !== null) {
    const cents = random.between(2, 20) * unit * 100
    if (cents <= moment.available) {
      return entry(ageMs, 'withdraw', cents, `ATM · ${random.pick(cashMachines)}`, { card })
    }
  }
  if (roll <= 77) return planRefund(random, moment, unit)
  if (roll <= 84) return planFee(random, moment, unit)
  if (roll <= 87) return entry(ageMs, 'cashback', random.between(2, 90) * unit, 'Cashback of the month')
  if (roll <= 90 && moment.balance < -1000) {
    return entry(ageMs, 'interest', Math.ceil(-moment.balance / 60), 'Interest on the outstanding balance')
  }
  if (roll <= 93) {
    const isIncoming = random.chance(50)
    const cents = random.between(1, 10) * unit * 100
    const entryType = isIncoming ? 'DEBIT' : 'CREDIT'
    return entry(ageMs, 'transfer', cents, 'Transfer between own accounts', { entryType })
  }
  if (roll <= 94) {
    const cents = random.between(1, 50) * 10
    return entry(ageMs, 'other', cents, 'Adjustment of a rounding difference', { entryType: 'DEBIT' })
  }
  if (setting.accountType === 'prepaid') {
    return entry(ageMs, 'topup', random.between(5, 60) * unit * 100, 'Top-up by FPS')
  }
  if (moment.balance >= -1000) return entry(ageMs, 'cashback', random.between(2, 90) * unit, 'Cashback of the month')
  return entry(ageMs, 'repay', Math.ceil(-moment.balance / random.pick([1, 1, 2])), 'Repayment by FPS')
}

/** A card that could pay at the time: issued, and not one that was replaced since. */
function usableCard(random: Random, cards: readonly CardPlan[], ageMs: number): number | null {
  if (cards.length === 0) return null
  const start = random.between(0, cards.length - 1)
  for (let step = 0; step < cards.length; step++) {
    const index = (start + step) % cards.length
    const card = cards[index]
    if (!card || card.ageMs <= ageMs || card.status.startsWith('pending')) continue
    if (card.status === 'active' || ageMs > 6 * dayMs) return index
  }
  return null
}

function planCharge(random: Random, setting: Setting, moment: Moment, card: number): EntryPlan {
  const merchant = random.pick(merchants)
  const hundredths = drawPrice(random, merchant)
  const cents = convertedCents(hundredths, merchant.currency, setting.currency)
  const purchase = { merchant, hundredths, type: 'PURCHASE' as const }
  const charge = entry(moment.ageMs, 'charge', cents, merchant.name, { card, purchase })
  if (cents > moment.available) {
    const declined = { responseCode: '51', responseMessage: 'Insufficient available balance' }
    return { ...charge, status: 'declined', purchase: { ...purchase, declined } }
  }
  if (random.chance(3)) {
    // A limit's decline would have to exceed the card's own limit.
    const declined = declineReasons['issuer-unavailable']
    return { ...charge, status: 'declined', purchase: { ...purchase, declined } }
  }
  if (moment.ageMs < dayMs) return { ...charge, status: 'pending' }
  if (random.chance(2)) return { ...charge, status: 'void' }
  if (random.chance(3)) {
    return { ...charge, disputeStatus: random.pick(['requested', 'pending', 'success', 'failed', 'reported'] as const) }
  }
  return charge
}

function drawPrice(random: Random, { price: [cheapest, dearest], currency }: Merchant): number {
  const whole = random.between(cheapest, Math.floor((cheapest + dearest) / random.pick([1, 2, 2])))
  const clamped = Math.min(Math.max(whole, cheapest), dearest) * 100
  return currency === 'JPY' ? clamped : clamped + random.pick([0, 0, 50, 90, 99])
}

/** Rounded half up, in whole numbers throughout. */
function convertedCents(hundredths: number, from: string, to: string): number {
  const hkd = hundredths * (hkdTenThousandths[from] ?? 10_000)
  const divisor = hkdTenThousandths[to] ?? 10_000
  return Math.max(1, Math.floor((2 * hkd + divisor) / (2 * divisor)))
}

function planRefund(random: Random, { ageMs, entries }: Moment, unit: number): EntryPlan {
  const refundable = entries.findLast(
    (one) =>
      one.intent === 'charge' &&
      one.status === 'posted' &&
      !one.disputeStatus &&
      one.reversedAgeMs === undefined &&
      one.ageMs > ageMs + 2 * dayMs,
  )
  if (!refundable) return entry(ageMs, 'cashback', random.between(2, 60) * unit, 'Cashback of the month')
  refundable.reversedAgeMs = ageMs
  const { card, cents, description } = refundable
  return entry(ageMs, 'refund', cents, `Refund · ${description}`, { card })
}

const fees = [
  ['late-payment-fee', 'Late payment fee', 120],
  ['atm-withdrawal-fee', 'ATM withdrawal fee', 25],
  ['foreign-transaction-fee', 'Foreign transaction fee', 18],
  ['annual-fee', 'Annual fee', 300],
  ['card-replacement-fee', 'Card replacement fee', 60],
] as const

function planFee(random: Random, { ageMs }: Moment, unit: number): EntryPlan {
  const [feeIntent, description, size] = random.pick(fees)
  const charged = entry(ageMs, 'fee', size * unit, description, { feeIntent })
  if (ageMs < dayMs) return { ...charged, status: 'pending' }
  return random.chance(12) ? { ...charged, status: 'void' } : charged
}
