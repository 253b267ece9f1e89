import type { RateRange } from '#lib/api/rates.ts'
import type { Freshness } from '#lib/environments/types.ts'

/** The samples of one span of time. Rates are decimal text; `fromMs` and `toMs` are its first and last sample. */
export type RatePoint = {
  fromMs: number
  toMs: number
  open: string
  low: string
  high: string
  close: string
  samples: number
}

export type RateHistory = {
  baseCurrency: string
  currency: string
  range: RateRange
  /** The whole range, to the moment of the response, by the console's clock. */
  fromMs: number
  toMs: number
  points: RatePoint[]
  /** Spans without samples: they are drawn as gaps. */
  gaps: { fromMs: number; toMs: number }[]
  /** The lowest and highest sample, and how far the last is from the first; null without samples. */
  low: string | null
  high: string | null
  movement: Movement | null
  /** Whether the base is sampled once a minute, or only while a page is open. */
  isSampledAlways: boolean
}

/** How a rate moved. `percent` is signed decimal text of four places; `against` is the sample that it moved from. */
export type Movement = {
  direction: 'up' | 'down' | 'same'
  percent: string
  against: { at: string; rate: string }
}

/** Figures are decimal text. A movement is null where there is no sample to compare with. */
export type RateRow = {
  currency: string
  /** Units of the currency per unit of the base, as the service sent it. */
  rate: string
  /** Units of the base per unit of the currency. */
  inverse: string
  last: Movement | null
  hour: Movement | null
  day: Movement | null
}

export type Rates = {
  baseCurrency: string
  rows: RateRow[]
  /** Currencies that were requested, of which the service has no rate that can be used. */
  missing: string[]
  /** Rates of the service that were left out: malformed, or not above 0. */
  excluded: number
  /** When the rates were fetched, and the console's clock as this was sent: a browser's clock may be another. */
  at: string
  now: string
  freshness: Freshness
}
