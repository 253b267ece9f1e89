import { clsx } from 'clsx'

/** The place of something that is still on its way. Size it with classes; say what is loading once, with Loading. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={clsx('block animate-pulse rounded-[0.1875rem] bg-line', className ?? 'h-4 w-24')}
    />
  )
}

/** Says to a screen reader what is on its way. */
export function Loading({ what }: { what: string }) {
  return <output className="sr-only">Loading {what}</output>
}
