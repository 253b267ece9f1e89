import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { Provided } from './not-provided.tsx'

/** A missing value (null, undefined, an empty text) is shown as not provided. */
export type Fact = { label: string; value: ReactNode }
/** Facts in their order; one that is left out is null, false or an empty text. */
export type Facts = readonly (Fact | false | '' | null | undefined)[]

/** Facts about one thing, a line each. `isFramed`: with a frame of its own, for use outside a panel. */
export function FactList({ facts, isFramed = false }: { facts: Facts; isFramed?: boolean }) {
  return (
    <dl className={clsx('@container divide-y', isFramed && 'rounded-panel border')}>
      {facts
        .flatMap((fact) => fact || [])
        .map(({ label, value }) => (
          <div
            key={label}
            className={clsx(
              'grid grid-cols-[7.5rem_minmax(0,1fr)] items-baseline gap-x-3 @sm:grid-cols-[9rem_minmax(0,1fr)] @sm:gap-x-4',
              isFramed ? 'px-3 py-2' : 'py-1.5 first:pt-0 last:pb-0',
            )}
          >
            <dt className="text-soft">{label}</dt>
            <dd className="min-w-0 wrap-anywhere [&_time]:whitespace-normal">
              <Provided>{value}</Provided>
            </dd>
          </div>
        ))}
    </dl>
  )
}
