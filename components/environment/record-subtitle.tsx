import { Fragment } from 'react'
import { IdText } from '#components/ui/id-text.tsx'
import type { Freshness } from '#lib/environments/types.ts'
import { AsOf } from './as-of.tsx'

const dot = <span aria-hidden="true">·</span>

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
    <span className="flex flex-wrap items-center gap-x-1.5">
      {lead.map((text) => (
        <Fragment key={text}>
          <span className="wrap-anywhere">{text}</span>
          {dot}
        </Fragment>
      ))}
      <IdText id={id} label={`${noun} ID`} />
      {xid && (
        <>
          {dot}
          <span title={xid} className="max-w-64 min-w-0 truncate">
            {xid}
          </span>
        </>
      )}
      {dot}
      <span>
        <AsOf freshness={freshness} />
      </span>
    </span>
  )
}
