import { Fragment } from 'react'

/** The name of an event, which breaks after a dot; elsewhere only where a part of it has no room on a line. */
export function EventName({ name }: { name: string }) {
  return (
    <span className="wrap-break-word">
      {name.split('.').map((part, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- the parts of a name stay where they are
        <Fragment key={index}>
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
