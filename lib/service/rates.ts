import { amount, type Amount } from '#lib/shared/money.ts'
import { secondMs } from '#lib/shared/time.ts'

type Drift = {
  /** US dollars per unit, around which the rate varies. */
  dollars: string
  /** How far the rate varies from there, in millionths. */
  strayMillionths: number
}

/** The Hong Kong dollar stays in its band; no currency strays by more than a few per cent. */
const drifts = {
  USD: { dollars: '1', strayMillionths: 0 },
  HKD: { dollars: '0.1282051282', strayMillionths: 2_500 },
  EUR: { dollars: '1.1640', strayMillionths: 18_000 },
  GBP: { dollars: '1.3320', strayMillionths: 20_000 },
  CNH: { dollars: '0.1404494382', strayMillionths: 6_000 },
  CNY: { dollars: '0.1403508772', strayMillionths: 5_000 },
  JPY: { dollars: '0.0066225166', strayMillionths: 22_000 },
  SGD: { dollars: '0.7751937984', strayMillionths: 9_000 },
  PHP: { dollars: '0.0171526587', strayMillionths: 9_000 },
  INR: { dollars: '0.0113250283', strayMillionths: 7_000 },
  IDR: { dollars: '0.0000613497', strayMillionths: 9_000 },
  KRW: { dollars: '0.0007002801', strayMillionths: 15_000 },
  AUD: { dollars: '0.6535947712', strayMillionths: 18_000 },
  CAD: { dollars: '0.7142857143', strayMillionths: 12_000 },
  CHF: { dollars: '1.2422360248', strayMillionths: 15_000 },
  THB: { dollars: '0.0306748466', strayMillionths: 12_000 },
} as const satisfies Record<string, Drift>

type RateCurrency = keyof typeof drifts

export const rateCurrencies = Object.keys(drifts) as RateCurrency[]

export function isRateCurrency(currency: string): currency is RateCurrency {
  return Object.hasOwn(drifts, currency)
}

/** How long a rate stays the same, in sandbox time. */
export const rateStepMs = 5 * secondMs
const significantDigits = 10

/**
 * Units of `to` for one unit of `from`, to ten significant digits: the same for everybody at the same sandbox time, and
 * `to` → `from` is its inverse within rounding. Throws `TypeError` for a currency without rates.
 */
export function rateAt(now: Date, from: string, to: string): Amount {
  if (from === to) return amount(1)
  return dollarsAt(now, from).dividedBy(dollarsAt(now, to)).toSignificantDigits(significantDigits)
}

function dollarsAt(now: Date, currency: string): Amount {
  if (!isRateCurrency(currency)) throw new TypeError(`there are no rates of ${currency}`)
  const { dollars, strayMillionths } = drifts[currency]
  const step = Math.floor(now.getTime() / rateStepMs)
  const millionths = Math.round((walk(currency, step) * strayMillionths) / wholeWalk)
  return amount(dollars)
    .times(1_000_000 + millionths)
    .dividedBy(1_000_000)
}

/** Waves of the variation: how many steps from one turning point to the next, and how much of the whole they make. */
const waves = [
  { steps: 1, weight: 3 },
  { steps: 12, weight: 7 },
  { steps: 720, weight: 30 },
  { steps: 17_280, weight: 60 },
]
const turn = 1_000
const wholeWalk = turn * waves.reduce((total, { weight }) => total + weight, 0)

/** The variation at a step, from −wholeWalk to wholeWalk: a sum of waves whose turning points are drawn by a hash. */
function walk(currency: string, step: number): number {
  let position = 0
  for (const { steps, weight } of waves) {
    const at = Math.floor(step / steps)
    const passed = step - at * steps
    const before = turningPoint(`${currency} ${steps} ${at}`)
    const after = turningPoint(`${currency} ${steps} ${at + 1}`)
    position += (weight * (before * (steps - passed) + after * passed)) / steps
  }
  return position
}

/** A number from −turn to turn, drawn by FNV-1a with a final mix. */
function turningPoint(name: string): number {
  let hash = 0x81_1c_9d_c5
  for (let place = 0; place < name.length; place += 1) hash = Math.imul(hash ^ name.charCodeAt(place), 0x01_00_01_93)
  hash = Math.imul(hash ^ (hash >>> 16), 0x45_d9_f3_b)
  hash = Math.imul(hash ^ (hash >>> 16), 0x45_d9_f3_b)
  return (((hash ^ (hash >>> 16)) >>> 0) % (2 * turn + 1)) - turn
}
