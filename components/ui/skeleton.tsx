import { clsx } from 'clsx'

/** A placeholder while content loads. Size it with classes; name what is loading once, with Loading. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={clsx('block animate-pulse rounded-[0.1875rem] bg-line', className ?? 'h-4 w-24')}
    />
  )
}

/** Names for a screen reader what is loading. */
export function Loading({ what }: { what: string }) {
  return <output className="sr-only">Loading {what}</output>
}
