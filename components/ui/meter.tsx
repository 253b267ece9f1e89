import { clsx } from 'clsx'
import { type Tone, toneFill } from './tone.ts'

/**
 * How much of something is used, as a bar. `share` is 0 to 1 (more is drawn full); `label` names it, `valueText` says
 * the value as text. Drawn in SVG, since a style attribute is not allowed in served HTML.
 */
export function Meter({
  share,
  label,
  valueText,
  tone = 'accent',
  className,
}: {
  share: number
  label: string
  valueText: string
  tone?: Tone
  className?: string
}) {
  const filled = Number.isFinite(share) ? Math.min(1, Math.max(0, share)) : 0
  return (
    <div className={clsx('h-1 w-full overflow-hidden rounded-full', className)}>
      <meter className="sr-only" aria-label={label} aria-valuetext={valueText} value={filled}>
        {valueText}
      </meter>
      <svg aria-hidden="true" width="100%" height="100%">
        <rect width="100%" height="100%" className="fill-line" />
        <rect width={`${(filled * 100).toFixed(2)}%`} height="100%" rx="2" className={toneFill[tone]} />
      </svg>
    </div>
  )
}
