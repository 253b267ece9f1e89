import { clsx } from 'clsx'
import { type ChartPoint, type ChartSpan, fillPath, scalesOf, segmentsOf, linePath } from './chart-geometry.ts'
import { type Tone, toneText } from './tone.ts'

const area = { width: 300, height: 48, inset: 4 }

/** A small line without axes. `label` describes what it shows. */
export function Sparkline({
  points,
  span,
  label,
  tone = 'accent',
  className,
}: {
  points: readonly ChartPoint[]
  span: ChartSpan
  label: string
  tone?: Tone
  className?: string
}) {
  const scales = scalesOf(points, span, area)
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${area.width} ${area.height}`}
      preserveAspectRatio="none"
      className={clsx('h-12 w-full', toneText[tone], className)}
    >
      {segmentsOf(points).map((segment) => (
        <g key={segment[0]?.atMs}>
          <path d={fillPath(segment, scales, area.height)} fill="currentColor" opacity="0.12" />
          <ChartLine segment={segment} scales={scales} />
        </g>
      ))}
    </svg>
  )
}

/** The line through the points of one unbroken part of a chart, as thick at any width of the drawing. */
export function ChartLine({
  segment,
  scales,
}: {
  segment: readonly ChartPoint[]
  scales: ReturnType<typeof scalesOf>
}) {
  return (
    <path
      d={linePath(segment, scales)}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
      vectorEffect="non-scaling-stroke"
    />
  )
}
