import { clsx } from 'clsx'
import type { ReactNode } from 'react'

export const notProvided = 'Not provided'

/** Shown for a missing value, in tables and figures. */
export const noValue = '–'

/**
 * Shown for a value that the service did not provide: a dash in tables and figures, the text in a fact list (`dd`).
 * `what` names the value where no heading does, for its title and for screen readers.
 */
export function NotProvided({ what, className }: { what?: string; className?: string | undefined }) {
  const text = what === undefined ? notProvided : `${what} not provided`
  return (
    <span title={text} className={clsx('text-faint', className)}>
      <span aria-hidden="true" className="in-[dd]:hidden">
        {noValue}
      </span>
      <span className="sr-only in-[dd]:not-sr-only">{text}</span>
    </span>
  )
}

/** A value of the service, or that it was not provided. */
export function Provided({ what, children }: { what?: string; children: ReactNode }) {
  return isMissing(children) ? <NotProvided what={what} /> : children
}

/** Whether there is nothing to show: absent, null or an empty text. */
export function isMissing(value: unknown): value is null | undefined | '' {
  return value === null || value === undefined || value === ''
}
