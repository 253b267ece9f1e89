import { clsx } from 'clsx'

/** Keys to press, as on the keyboard. */
export function KeyboardShortcut({ keys, className }: { keys: readonly string[]; className?: string }) {
  return (
    <span className={clsx('inline-flex items-center gap-1', className)}>
      {keys.map((key) => (
        <kbd
          key={key}
          className="inline-flex h-5 min-w-5 items-center justify-center rounded-chip border px-1 font-sans text-2xs text-faint"
        >
          {key}
        </kbd>
      ))}
    </span>
  )
}
