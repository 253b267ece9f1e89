'use client'

import { StatusRail } from '#components/ui/status-rail.tsx'
import { Time } from '#components/ui/time.tsx'
import type { CardHistory, CardRailStop } from '#lib/console/cards/shapes.ts'
import { cardStatusEntry } from './card-status.ts'

/** A card's life so far: each status with its time and who brought it there, as far as the console knows. */
export function CardRail({ history }: { history: CardHistory }) {
  return (
    <StatusRail
      stops={history.rail.map((stop) => ({
        ...cardStatusEntry(stop.status),
        status: stop.status,
        isNow: stop.isNow,
        isReached: stop.reached,
        ...(stop.at !== null || stop.isNow ? { detail: <Since stop={stop} /> } : {}),
      }))}
    />
  )
}

function Since({ stop }: { stop: CardRailStop }) {
  return (
    <>
      {stop.at ? <Time instant={stop.at} /> : 'Date unknown'}
      {stop.by && <span className="wrap-anywhere">, by {stop.by.name}</span>}
    </>
  )
}
