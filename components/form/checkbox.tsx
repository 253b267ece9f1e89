'use client'

import { clsx } from 'clsx'
import { type ComponentProps, type ReactNode, useId } from 'react'
import { useReplayPreHydrationInput } from './early-entry.ts'

/** `isMixed`: some, not all, of its items are ticked. */
type Tick = Omit<ComponentProps<'input'>, 'ref' | 'type' | 'id' | 'className'> & { isMixed?: boolean }

/** A checkbox without a label of its own, one element in each row of a list; `aria-label` names it. */
export function BareCheckbox({ isMixed = false, ...input }: Tick) {
  const earlyEntry = useReplayPreHydrationInput()
  return (
    <input
      {...input}
      type="checkbox"
      ref={(element) => {
        if (element) element.indeterminate = isMixed
        earlyEntry(element)
      }}
      className="checkbox-box"
    />
  )
}

/** A checkbox with its label, which is part of its target. */
export function Checkbox({
  label,
  hint,
  className,
  ...input
}: Tick & { label: ReactNode; hint?: ReactNode; className?: string }) {
  const hintId = useId()
  return (
    <label className={clsx('inline-flex min-h-6 items-start gap-2', className)}>
      <BareCheckbox {...input} {...(hint === undefined ? {} : { 'aria-describedby': hintId })} />
      <span className="pt-0.5">
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
