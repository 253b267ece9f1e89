'use client'

import { count, formatCount } from '#components/ui/count.ts'
import { noValue } from '#components/ui/not-provided.tsx'
import { usePageZone } from '#components/ui/page-zone.tsx'
import { Stat } from '#components/ui/stat.tsx'
import { RelativeTime, Time } from '#components/ui/time.tsx'
import type { InboxFigures } from '#lib/console/inbox/types.ts'
import { EventName } from './event-name.tsx'

/** The figures of the inbox: the newest event, counts, and the delay until events are applied. */
export function InboxFiguresPanel({ figures }: { figures: InboxFigures }) {
  const zone = usePageZone()
  const { newest, received, receivedToday, waiting, signatures, malformed, duplicates, lagMs } = figures
  return (
    <div className="grid gap-x-6 gap-y-4 rounded-panel border bg-surface p-4 grid-cols-2 max-lg:*:last:col-span-2 lg:grid-cols-5">
      <Stat
        label="Newest event"
        value={newest ? <RelativeTime instant={newest.receivedAt} /> : 'None yet'}
        note={newest ? <EventName name={newest.event} /> : 'No events received yet'}
      />
      <Stat
        label={`Received today, ${zone.label}`}
        value={count.format(receivedToday)}
        note={`${count.format(received)} in total, ${waiting === 0 ? 'all applied' : `${count.format(waiting)} waiting`}`}
      />
      <Stat
        label="Wrong signatures"
        value={count.format(signatures.count)}
        note={
          <>
            Rejected, not stored
            {signatures.lastAt && (
              <>
                ; the last <Time instant={signatures.lastAt} />
              </>
            )}
            {malformed > 0 && `; ${count.format(malformed)} more without an ID or not JSON`}
          </>
        }
      />
      <Stat label="Duplicates" value={count.format(duplicates)} note="Ignored repeats" />
      <Stat
        label="Time to apply, p99"
        value={lagMs ? `${count.format(lagMs.p99)} ms` : noValue}
        note={lagMs ? `Median ${count.format(lagMs.p50)} ms, ${lagEventsText(lagMs.events)}` : 'No events applied yet'}
      />
    </div>
  )
}

const lagEventsAtMost = 1000

function lagEventsText(events: number): string {
  return events >= lagEventsAtMost ? `last ${count.format(lagEventsAtMost)} events` : formatCount(events, 'event')
}
