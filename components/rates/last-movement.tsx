import { durationText } from '#components/ui/time-format.ts'
import type { RateRow, Rates } from '#lib/console/rates/shapes.ts'
import { MovementText } from './movement-text.tsx'

/** How a rate moved since the sample before, and how long before that was. */
export function LastMovement({ rates, row: { last } }: { rates: Rates; row: RateRow }) {
  if (last === null) return <>This is the first sample</>
  return (
    <>
      <MovementText movement={last} /> in {durationText(Date.parse(rates.at) - Date.parse(last.against.at))}
    </>
  )
}
