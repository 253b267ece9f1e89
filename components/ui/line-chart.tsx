'use client'

import { clsx } from 'clsx'
import type { PointerEvent, ReactNode } from 'react'
import {
  bandPath,
  ChartLine,
  type ChartPoint,
  type ChartSpan,
  nearestPoint,
  makeScales,
  splitAtGaps,
} from './chart.tsx'

/** As high as the drawing usually is on the screen (`h-64`). */
const area = { width: 1000, height: 256, inset: 20 }

/**
 * A line over time with the range of each point behind it. Where data are missing the line breaks and the span is grey.
 * A point is selected with the pointer or, when the chart has the focus, with the arrow keys; `describe` returns its
 * text.
 */
export function LineChart({
  points,
  gaps,
  span,
  label,
  describe,
  chosen,
  onChoose,
  highLabel,
  lowLabel,
  timeLabels,
}: {
  points: readonly ChartPoint[]
  gaps: readonly ChartSpan[]
  span: ChartSpan
  label: string
  describe: (index: number) => string
  /** The index of the point that is read out; null for none. */
  chosen: number | null
  onChoose: (index: number | null) => void
  highLabel: ReactNode
  lowLabel: ReactNode
  /** At even distances, from the first instant to the last. */
  timeLabels: readonly ReactNode[]
}) {
  const scales = makeScales(points, span, area)
  const last = points.length - 1
  const point = chosen === null ? undefined : points[chosen]

  function onPointer(event: PointerEvent<HTMLDivElement>) {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    const share = (event.clientX - left) / Math.max(1, width)
    onChoose(nearestPoint(points, span.fromMs + share * (span.toMs - span.fromMs)))
  }

  return (
    <div className="flex min-w-0 gap-2">
      <div className="min-w-0 flex-1">
        <div
          onPointerMove={onPointer}
          onPointerDown={onPointer}
          onPointerLeave={() => onChoose(null)}
          className="relative touch-pan-y"
        >
          <input
            type="range"
            aria-label={label}
            aria-valuetext={describe(chosen ?? last)}
            min={0}
            max={Math.max(0, last)}
            value={chosen ?? Math.max(0, last)}
            onChange={(event) => onChoose(Number(event.target.value))}
            onFocus={() => onChoose(chosen ?? last)}
            onBlur={() => onChoose(null)}
            className="peer pointer-events-none absolute inset-0 size-full opacity-0"
          />
          <svg
            aria-hidden="true"
            viewBox={`0 0 ${area.width} ${area.height}`}
            preserveAspectRatio="none"
            className="h-64 w-full rounded-chip text-accent outline-offset-2 outline-accent peer-focus-visible:outline-2 2xl:h-110"
          >
            <Grid />
            {gaps.map(({ fromMs, toMs }) => (
              <rect
                key={fromMs}
                x={scales.x(fromMs).toFixed(1)}
                width={Math.max(1, scales.x(toMs) - scales.x(fromMs)).toFixed(1)}
                y="0"
                height={area.height}
                className="fill-hover"
              />
            ))}
            {splitAtGaps(points).map((segment) => (
              <g key={segment[0]?.atMs}>
                <path d={bandPath(segment, scales)} fill="currentColor" opacity="0.16" />
                <ChartLine segment={segment} scales={scales} />
              </g>
            ))}
            {point && <Mark x={scales.x(point.atMs)} y={scales.y(point.value)} />}
          </svg>
        </div>
        <div aria-hidden="true" className="mt-1 flex justify-between gap-2 text-2xs text-faint">
          {timeLabels.map((text, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- the places are fixed
            <span key={index} className={clsx(index % 2 === 1 && 'max-sm:hidden')}>
              {text}
            </span>
          ))}
        </div>
      </div>
      <div
        aria-hidden="true"
        className="flex h-64 shrink-0 flex-col 2xl:h-110 justify-between py-3 text-right 2xl:py-6.5 text-2xs text-faint"
      >
        <span>{highLabel}</span>
        <span>{lowLabel}</span>
      </div>
    </div>
  )
}

function Grid() {
  const { width, height, inset } = area
  return (
    <g className="stroke-line">
      {[inset, height / 2, height - inset].map((y) => (
        <line key={y} x1="0" x2={width} y1={y} y2={y} vectorEffect="non-scaling-stroke" />
      ))}
      {[0.25, 0.5, 0.75].map((share) => (
        <line
          key={share}
          x1={width * share}
          x2={width * share}
          y1="0"
          y2={height}
          strokeDasharray="2 4"
          vectorEffect="non-scaling-stroke"
        />
      ))}
    </g>
  )
}

function Mark({ x, y }: { x: number; y: number }) {
  return (
    <>
      <line x1={x} x2={x} y1="0" y2={area.height} className="stroke-edge" vectorEffect="non-scaling-stroke" />
      <path
        d={`M${x.toFixed(1)},${y.toFixed(1)} h0`}
        stroke="currentColor"
        strokeWidth="9"
        strokeLinecap="round"
        vectorEffect="non-scaling-stroke"
      />
    </>
  )
}
