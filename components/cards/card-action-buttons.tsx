'use client'

import { useId } from 'react'
import { type ButtonVariant, buttonStyle } from '#components/ui/button-style.ts'
import type { CardActionRow } from './card-action-table.ts'
import type { OfferedAction } from './use-card-actions.tsx'

const variants: Record<CardActionRow['tone'], ButtonVariant> = {
  accent: 'primary',
  neutral: 'secondary',
  bad: 'danger-quiet',
}

/** The actions of a card in their fixed order. One that cannot be used stays in its place, with its reason below. */
export function CardActionButtons({ actions }: { actions: readonly OfferedAction[] }) {
  const id = useId()
  const closed = actions.filter(({ unavailable }) => unavailable !== undefined)
  const [only] = new Set(closed.map(({ unavailable }) => unavailable))
  const isSame = closed.length > 1 && closed.every(({ unavailable }) => unavailable === only)
  return (
    <div>
      <fieldset className="flex flex-wrap gap-2">
        <legend className="sr-only">Actions on this card</legend>
        {actions.map(({ action, row, unavailable, open }) => {
          const Icon = row.icon
          return (
            <button
              key={action}
              type="button"
              className={buttonStyle({ variant: variants[row.tone], isUnavailable: unavailable !== undefined })}
              {...(unavailable === undefined
                ? { onClick: open, 'aria-haspopup': 'dialog' as const }
                : { 'aria-disabled': true, 'aria-describedby': `${id}-${isSame ? 'all' : action}` })}
            >
              <Icon aria-hidden="true" />
              {row.label}
            </button>
          )
        })}
      </fieldset>
      {isSame ? (
        <p id={`${id}-all`} className="mt-2.5 text-xs text-soft">
          {only}
        </p>
      ) : (
        closed.length > 0 && (
          <ul className="mt-2.5 flex flex-wrap gap-x-4 gap-y-0.5 text-xs text-soft">
            {closed.map(({ action, row, unavailable }) => (
              <li key={action}>
                <span className="font-medium">{row.label}: </span>
                <span id={`${id}-${action}`}>{unavailable}</span>
              </li>
            ))}
          </ul>
        )
      )}
    </div>
  )
}
