'use client'

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { CardActionInput } from '#lib/console/card-actions.ts'
import type { CardDetail } from '#lib/console/cards.ts'
import type { Outcome } from '#lib/console/operations/outcome.ts'
import type { Card } from '#lib/contract/cards.ts'
import { cardQuery } from '#lib/queries/cards.ts'
import { operationQuery } from '#lib/queries/operations.ts'
import type { CardActionRow } from './card-action-table.ts'
import { lostAnswer } from './outcome-text.tsx'

/** Everything on screen that a card's action may have changed. */
const touched = ['cards', 'card-accounts', 'overview', 'audit'] as const

function isOpen(outcome: Outcome | null): boolean {
  return outcome?.state === 'unknown' || outcome?.state === 'running'
}

/**
 * One operation from its first press to the truth. Pressing again while it runs does nothing, trying again repeats the
 * same operation, and an outcome that is open is asked for until it is known.
 */
export function useCardOperation(row: CardActionRow, target: Omit<CardActionInput, 'reason' | 'comment'>) {
  const { environment, cardAccountId, cardId, operationId } = target
  const client = useQueryClient()
  const isRunning = useRef(false)
  const values = useRef<FormData>(new FormData())
  const [isPending, setIsPending] = useState(false)
  const [answered, setAnswered] = useState<Outcome | null>(null)
  const [errors, setErrors] = useState<Record<string, string>>({})

  const polled = useQuery({ ...operationQuery(environment, operationId), enabled: isOpen(answered) })
  const outcome = isOpen(answered) ? (polled.data?.outcome ?? answered) : answered
  const settledAs = isOpen(outcome) ? null : (outcome?.state ?? null)

  useEffect(() => {
    if (settledAs === null) return
    for (const part of touched) void client.invalidateQueries({ queryKey: [environment, part] })
  }, [settledAs, client, environment])

  function showCard(card: Card) {
    client.setQueryData<CardDetail>(cardQuery(environment, cardAccountId, cardId).queryKey, (before) =>
      before === undefined ? before : { ...before, card },
    )
  }

  async function run() {
    if (isRunning.current) return
    isRunning.current = true
    setIsPending(true)
    try {
      const result = await row.run({ ...target, ...reasonOf(values.current) }, values.current)
      if (result.kind === 'invalid') return setErrors(result.fields)
      setAnswered(result.kind === 'settled' ? result.operation.outcome : result.outcome)
      if (result.kind === 'settled' && result.card) showCard(result.card)
    } catch {
      setAnswered(lostAnswer)
    } finally {
      isRunning.current = false
      setIsPending(false)
    }
  }

  return {
    isPending,
    errors,
    setErrors,
    outcome,
    start: (entered: FormData) => {
      values.current = entered
      setErrors({})
      void run()
    },
    retry: () => void run(),
  }
}

function reasonOf(values: FormData): Pick<CardActionInput, 'reason' | 'comment'> {
  const reason = String(values.get('reason') ?? '')
  const comment = String(values.get('comment') ?? '').trim()
  return {
    ...(reason === '' ? {} : { reason: reason as CardActionInput['reason'] }),
    ...(comment === '' ? {} : { comment }),
  }
}
