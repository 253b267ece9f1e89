import { clsx } from 'clsx'

const wholeFormat = new Intl.NumberFormat('en-HK')
const leadingDigits = 6

/** The first six significant digits, which people read, and what follows, which machines compare. */
export function splitRate(rate: string): { lead: string; rest: string } {
  const [whole = '', fraction = ''] = rate.split('.')
  const grouped = /^\d+$/.test(whole) ? wholeFormat.format(BigInt(whole)) : whole
  if (fraction === '') return { lead: grouped, rest: '' }
  const zeros = whole === '0' ? fraction.length - fraction.replace(/^0+/, '').length : 0
  const digitsBefore = whole === '0' ? 0 : whole.length
  const shown = Math.max(2, zeros + leadingDigits - digitsBefore)
  return { lead: `${grouped}.${fraction.slice(0, shown)}`, rest: fraction.slice(shown) }
}

/** A rate, decimal text, with every digit that was sent: the last ones are fainter. */
export function RateText({ rate, className }: { rate: string; className?: string }) {
  const { lead, rest } = splitRate(rate)
  return (
    <span className={clsx('whitespace-nowrap', className)}>
      {lead}
      {rest !== '' && <span className="text-faint">{rest}</span>}
    </span>
  )
}
