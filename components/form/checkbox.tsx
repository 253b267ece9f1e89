'use client'

import { clsx } from 'clsx'
import { Check, Minus } from 'lucide-react'
import { type ComponentProps, type ReactNode, useId } from 'react'
import { useReplayPreHydrationInput } from './early-entry.ts'

/** A checkbox with its label, which is part of its target. */
export function Checkbox({
  label,
  hint,
  isLabelHidden = false,
  isMixed,
  className,
  ...input
}: Omit<ComponentProps<'input'>, 'ref' | 'type' | 'id' | 'className'> & {
  label: ReactNode
  hint?: ReactNode
  isLabelHidden?: boolean
  /** Some, not all, of its items are ticked. Undefined for a checkbox that has no items. */
  isMixed?: boolean
  className?: string
}) {
  const hintId = useId()
  const earlyEntry = useReplayPreHydrationInput()
  return (
    <label className={clsx('inline-flex min-h-6 items-start gap-2', className)}>
      <span className="relative flex size-6 shrink-0 items-center justify-center">
        <input
          {...input}
          type="checkbox"
          ref={(element) => {
            if (element) element.indeterminate = isMixed ?? false
            earlyEntry(element)
          }}
          {...(hint === undefined ? {} : { 'aria-describedby': hintId })}
          // The target is larger than the box that is drawn (WCAG 2.2, 2.5.8).
          className="peer absolute inset-0 cursor-pointer appearance-none rounded-md"
        />
        <span
          aria-hidden="true"
          className={clsx(
            'pointer-events-none size-4 rounded-[0.25rem] border',
            isMixed
              ? 'border-accent bg-accent'
              : 'border-edge bg-surface peer-checked:border-accent peer-checked:bg-accent',
          )}
        />
        {/* The marks are always there: neither a new element nor a layer per row is made when a table’s rows are chosen. */}
        {isMixed !== undefined && (
          <Minus
            aria-hidden="true"
            className={clsx('pointer-events-none absolute size-3 text-on-accent', !isMixed && 'invisible')}
          />
        )}
        <Check
          aria-hidden="true"
          className={clsx(
            'pointer-events-none invisible absolute size-3 text-on-accent',
            !isMixed && 'peer-checked:visible',
          )}
        />
      </span>
      <span className={clsx(isLabelHidden ? 'sr-only' : 'pt-0.5')}>
        {label}
        {hint !== undefined && (
          <span id={hintId} className="block text-xs text-faint">
            {hint}
          </span>
        )}
      </span>
    </label>
  )
}
