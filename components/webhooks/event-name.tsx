import { Fragment } from 'react'
import { findEntry } from '#components/ui/code-entry.ts'
import { deprecatedEvents } from '#lib/contract/terms.ts'

/**
 * The name of an event, which breaks after a dot; elsewhere only where a part of it has no room on a line. A deprecated one says so.
 */
export function EventName({ name }: { name: string }) {
  const parts = name.split('.')
  const replacement = findEntry(deprecatedEvents, name)
  return (
    <span className="wrap-break-word">
      {parts.map((part, index) => (
        <Fragment key={parts.slice(0, index + 1).join('.')}>
          {index > 0 && (
            <>
              .<wbr />
            </>
          )}
          {part}
        </Fragment>
      ))}
      {replacement && (
        <span className="text-warn" title={`Replaced by ${replacement}`}>
          {' '}
          deprecated
        </span>
      )}
    </span>
  )
}
