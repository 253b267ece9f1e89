'use client'

import { useState } from 'react'
import { Button } from '#components/ui/button.tsx'

type Resolution = 'made' | 'not-made'

/**
 * What a person says of an outcome that Carddesk could not find out. “Not made” is asked once more: from then on nothing warns of doing it
 * twice.
 */
export function SettleButtons({
  verb,
  isPending,
  unavailable,
  onSettle,
}: {
  verb: 'made' | 'done'
  isPending: boolean
  unavailable?: string | undefined
  onSettle: (resolution: Resolution) => void
}) {
  const [isAsking, setIsAsking] = useState(false)
  const guard = unavailable === undefined ? {} : { unavailable, reason: 'described' as const }
  return (
    <div className="flex max-w-96 flex-wrap items-center gap-2">
      {isAsking ? (
        <p className="basis-full text-ink">{notMadeQuestion(verb)}</p>
      ) : (
        <Button isPending={isPending} {...guard} onClick={() => onSettle('made')}>
          It was {verb}
        </Button>
      )}
      {/* One element for both: it keeps the focus. */}
      <Button isPending={isPending} {...guard} onClick={() => setIsAsking(!isAsking)}>
        {isAsking ? 'Not sure' : `It was not ${verb}…`}
      </Button>
      {isAsking && (
        <Button variant="danger" isPending={isPending} onClick={() => onSettle('not-made')}>
          Yes, it was not {verb}
        </Button>
      )}
    </div>
  )
}

/** Before an open outcome is said to have had no effect. */
export function notMadeQuestion(verb: 'made' | 'done'): string {
  return verb === 'made'
    ? 'Did the card service confirm that? Carddesk stops looking for it, and nothing warns of making it twice.'
    : 'Did the card service confirm that? Carddesk stops checking.'
}
