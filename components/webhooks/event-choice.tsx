'use client'

import { useId, useState } from 'react'
import { Checkbox } from '#components/form/checkbox.tsx'
import { EventName } from './event-name.tsx'

/** The event names of the interface and those decided for the service; a ping goes to every webhook. */
export const offeredEvents = [
  'cardaccount.created',
  'cardaccount.balance',
  'cardaccount.client-identity.approved',
  'cardaccount.client-identity.rejected',
  'cardaccount.transaction.created',
  'cardaccount.transaction.updated',
  'cardaccount.transaction.declined',
  'card.updated',
  'account.transaction.created',
  'payout.created',
  'payout.updated',
  'cardaccount.transaction.verification-code-delivered',
]

/** The events that a webhook gets, as values of `events`: `*` for all of them, or some by name. */
export function EventChoice({ error }: { error?: string | undefined }) {
  const [isAll, setIsAll] = useState(true)
  const errorId = useId()
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 text-soft">Events</legend>
      <Checkbox
        label="All events, including future ones"
        name="events"
        value="*"
        checked={isAll}
        {...(error && { 'aria-invalid': true, 'aria-describedby': errorId })}
        onChange={(event) => setIsAll(event.target.checked)}
      />
      {error && (
        <p id={errorId} role="alert" className="mt-1 text-xs text-bad">
          {error}
        </p>
      )}
      {!isAll && (
        <div className="mt-2 grid gap-1 rounded-panel border p-3">
          {offeredEvents.map((name) => (
            <Checkbox
              key={name}
              label={
                <span className="text-xs">
                  <EventName name={name} />
                </span>
              }
              name="events"
              value={name}
            />
          ))}
        </div>
      )}
    </fieldset>
  )
}
