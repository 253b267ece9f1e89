'use client'

import { useEffect, useRef, useState } from 'react'
import { Button } from '#components/ui/button.tsx'
import { KeptFocus } from '#components/ui/kept-focus.tsx'

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
  const wasAsked = useRef(false)
  const first = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (wasAsked.current) first.current?.focus()
    wasAsked.current ||= isAsking
  }, [isAsking])
  const guard = unavailable === undefined ? {} : { unavailable, reason: 'described' as const }
  return (
    <KeptFocus className="flex max-w-96 flex-wrap items-center gap-2">
      {isAsking ? (
        <>
          <p className="basis-full text-ink">{notMadeQuestion(verb)}</p>
          <Button ref={first} isPending={isPending} onClick={() => setIsAsking(false)}>
            Not sure
          </Button>
          <Button variant="danger" isPending={isPending} onClick={() => onSettle('not-made')}>
            Yes, it was not {verb}
          </Button>
        </>
      ) : (
        <>
          <Button ref={first} isPending={isPending} {...guard} onClick={() => onSettle('made')}>
            It was {verb}
          </Button>
          <Button isPending={isPending} {...guard} onClick={() => setIsAsking(true)}>
            It was not {verb}…
          </Button>
        </>
      )}
    </KeptFocus>
  )
}

/** Before an open outcome is said to have had no effect. */
export function notMadeQuestion(verb: 'made' | 'done'): string {
  return verb === 'made'
    ? 'Did the card service confirm that? Carddesk stops looking for it, and nothing warns of making it twice.'
    : 'Did the card service confirm that? Carddesk stops checking.'
}
