import { clsx } from 'clsx'

/** A placeholder while content loads. Size it with classes; name what is loading once, with LoadingBlocks. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={clsx('block animate-pulse rounded-[0.1875rem] bg-line', className ?? 'h-4 w-24')}
    />
  )
}

export type Blocks = {
  /** The sizes of the blocks, as classes. A block without a width is a panel as wide as its column. */
  blocks: readonly string[]
  /** The columns of the blocks. */
  className?: string | undefined
}

/** Placeholders of a page or panel while it loads. `what` names it for a screen reader. */
export function LoadingBlocks({ what, blocks, className }: Blocks & { what: string }) {
  return (
    <div className={clsx('grid gap-4', className)}>
      <output className="sr-only">Loading {what}</output>
      {blocks.map((size, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- the blocks are fixed
        <Skeleton key={index} className={clsx(size, !/(^| )w-/.test(size) && 'w-full rounded-panel')} />
      ))}
    </div>
  )
}
