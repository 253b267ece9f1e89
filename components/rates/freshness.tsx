import { Time } from '#components/ui/time.tsx'
import type { Rates } from '#lib/console/rates/shapes.ts'
import { RateAge } from './rate-age.tsx'

/** Live, or since when it is not. */
export function Freshness({ rates, readAtMs }: { rates: Rates; readAtMs: number }) {
  const age = <RateAge rates={rates} readAtMs={readAtMs} />
  if (rates.freshness.source === 'service') return <>live · {age}</>
  return (
    <span className="text-warn">
      last read <Time instant={rates.at} format="time-seconds" isZoneShown /> · {age}
    </span>
  )
}
