import { Time } from '#components/ui/time.tsx'
import type { Coverage } from '#lib/console/desk/shapes.ts'

/** How complete and how old the list is, said plainly: totals over a part are never passed off as totals. */
export function PayoutCoverageText({ coverage }: { coverage: Coverage }) {
  const { isComplete, isReading, asOf } = coverage
  if (!isComplete) {
    return <>read so far{isReading ? ', still reading' : ''}; totals cover these only</>
  }
  return (
    <>
      as of <Time instant={asOf} format="time-seconds" isZoneShown /> or newer
    </>
  )
}
