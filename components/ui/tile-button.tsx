import { clsx } from 'clsx'
import type { ReactNode } from 'react'

/** A tile that is pressed to choose what it shows, and pressed again to leave it. */
export function TileButton({
  isChosen,
  onPress,
  className,
  children,
}: {
  isChosen: boolean
  onPress: () => void
  className?: string
  children: ReactNode
}) {
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      onClick={onPress}
      className={clsx(
        'flex w-full flex-col rounded-panel border text-left transition-colors',
        className,
        isChosen ? 'border-accent/40 bg-accent-wash' : 'bg-surface hover:bg-hover',
      )}
    >
      {children}
    </button>
  )
}
