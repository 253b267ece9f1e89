import { type ChartPoint, linePath, type scalesOf } from './chart-geometry.ts'

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
