import { clsx } from 'clsx'
import { count } from '#components/ui/count.ts'

const leadingDigits = 6

/** How many decimal places hold the digits of a rate that people read; none or fewer where the whole number has them all. */
function leadingPlaces(whole: string, fraction: string): number {
  if (whole !== '0') return leadingDigits - whole.length
  return leadingDigits + fraction.length - fraction.replace(/^0+/, '').length
}

/** The first six significant digits, which people read, and what follows, which machines compare. */
export function splitRate(rate: string): { lead: string; rest: string } {
  const [whole = '', fraction = ''] = rate.split('.')
  const grouped = /^\d+$/.test(whole) ? count.format(BigInt(whole)) : whole
  if (fraction === '') return { lead: grouped, rest: '' }
  const shown = Math.max(2, leadingPlaces(whole, fraction))
  return { lead: `${grouped}.${fraction.slice(0, shown)}`, rest: fraction.slice(shown) }
}

/** A rate with six significant digits, rounded half up; decimal text. */
export function shortRate(rate: string): string {
  const [whole = '', fraction = ''] = rate.split('.')
  const places = Math.max(0, leadingPlaces(whole, fraction))
  if (!/^\d+$/.test(whole) || fraction.length <= places) return splitRate(rate).lead + splitRate(rate).rest
  const scaled = (BigInt(whole + fraction.slice(0, places + 1)) + 5n) / 10n
  const digits = String(scaled).padStart(places + 1, '0')
  const rounded = count.format(BigInt(digits.slice(0, digits.length - places)))
  return places === 0 ? rounded : `${rounded}.${digits.slice(-places)}`
}

/** A market rate, decimal text: six significant digits on the screen, every digit that was sent in its title. */
export function RateText({ rate, className }: { rate: string; className?: string }) {
  return (
    <span title={rate} className={clsx('whitespace-nowrap', className)}>
      {shortRate(rate)}
    </span>
  )
}

/** A rate that money was exchanged at, with every digit that was sent: the last ones are fainter. */
export function ExactRateText({ rate, className }: { rate: string; className?: string }) {
  const { lead, rest } = splitRate(rate)
  return (
    <span className={clsx('whitespace-nowrap', className)}>
      {lead}
      {rest !== '' && <span className="text-faint">{rest}</span>}
    </span>
  )
}

/** The rate of a pair that money was exchanged at: `1 HKD = 7.1234 PHP`. */
export function PairRate({
  source,
  destination,
  rate,
  className,
}: {
  source: string
  destination: string
  rate: string
  className?: string
}) {
  return (
    <>
      1 {source} = <ExactRateText rate={rate} className={className} /> {destination}
    </>
  )
}
