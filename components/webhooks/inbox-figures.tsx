import { count } from '#components/ui/count.ts'
import { usePageZone } from '#components/ui/page-zone.tsx'
import { Stat } from '#components/ui/stat.tsx'
import { RelativeTime, Time } from '#components/ui/time.tsx'
import type { InboxFigures as Figures } from '#lib/console/inbox/shapes.ts'
import { EventName } from './event-name.tsx'

/** Whether events reach the console, at a glance. */
export function InboxFigures({ figures }: { figures: Figures }) {
  const zone = usePageZone()
  const { newest, received, receivedToday, waiting, signatures, malformed, duplicates, lagMs } = figures
  return (
    <div className="grid gap-x-6 gap-y-4 rounded-panel border bg-surface p-4 grid-cols-2 lg:grid-cols-3 xl:grid-cols-5">
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
            {malformed > 0 && `; ${count.format(malformed)} more without an id or not JSON`}
          </>
        }
      />
      <Stat label="Duplicates" value={count.format(duplicates)} note="Ignored repeats" />
      <Stat
        label="Received to applied, p99"
        value={lagMs ? `${count.format(lagMs.p99)} ms` : '–'}
        note={lagMs ? `Median ${count.format(lagMs.p50)} ms, ${lagEventsText(lagMs.events)}` : 'No events applied yet'}
      />
    </div>
  )
}

const lagEventsAtMost = 1000

function lagEventsText(events: number): string {
  if (events >= lagEventsAtMost) return `last ${count.format(lagEventsAtMost)} events`
  return events === 1 ? '1 event' : `${count.format(events)} events`
}
