import { Fragment } from 'react'

/** The name of an event, which breaks after a dot; elsewhere only where a part of it has no room on a line. */
export function EventName({ name }: { name: string }) {
  const parts = name.split('.')
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
    </span>
  )
}
