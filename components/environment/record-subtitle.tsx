import { IdText } from '#components/ui/id-text.tsx'
import type { Freshness } from '#lib/environments/types.ts'
import { AsOf } from './as-of.tsx'

/** The line below the title of a record's page: `lead`, its ids, and when it was read. `noun` names it in lower case. */
export function RecordSubtitle({
  lead = [],
  noun,
  id,
  xid = null,
  freshness,
}: {
  lead?: readonly string[]
  noun: string
  id: string
  xid?: string | null
  freshness: Freshness
}) {
  return (
    // The dot before an item is cut off where the item begins a line.
    <span className="block [clip-path:inset(-6px_-6px_-6px_-4px)]">
      <span className="-ml-3.5 flex flex-wrap items-center *:flex *:min-w-0 *:before:w-3.5 *:before:shrink-0 *:before:text-center *:before:content-['·'/'']">
        {lead.map((text) => (
          <span key={text}>
            <span className="wrap-anywhere">{text}</span>
          </span>
        ))}
        <span>
          <IdText id={id} label={`${noun} ID`} />
        </span>
        {xid && (
          <span title={xid} className="max-w-64">
            <span className="min-w-0 truncate">{xid}</span>
          </span>
        )}
        <span>
          <span>
            <AsOf freshness={freshness} />
          </span>
        </span>
      </span>
    </span>
  )
}
