'use client'

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { lostAnswer } from '#components/cards/outcome-text.tsx'
import type { Outcome } from '#lib/console/operations/outcome.ts'
import type { WebhookActionResult } from '#lib/console/webhooks/actions.ts'
import { operationQuery } from '#lib/queries/operations.ts'
import type { Environment } from '#lib/shared/routes.ts'

function isOpen(outcome: Outcome | null): boolean {
  return outcome?.state === 'unknown' || outcome?.state === 'running'
}

/** One operation on a webhook from its first press to the truth; pressing again repeats the same operation. */
export function useWebhookOperation(environment: Environment, operationId: string) {
  const client = useQueryClient()
  const isRunning = useRef(false)
  const last = useRef<(() => Promise<WebhookActionResult>) | null>(null)
  const [isPending, setIsPending] = useState(false)
  const [answered, setAnswered] = useState<Outcome | null>(null)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const polled = useQuery({ ...operationQuery(environment, operationId), enabled: isOpen(answered) })
  const outcome = isOpen(answered) ? (polled.data?.outcome ?? answered) : answered
  const settledAs = isOpen(outcome) ? null : (outcome?.state ?? null)

  useEffect(() => {
    if (settledAs === null) return
    for (const part of ['webhooks', 'audit']) void client.invalidateQueries({ queryKey: [environment, part] })
  }, [settledAs, client, environment])

  async function run() {
    if (isRunning.current || !last.current) return
    isRunning.current = true
    setIsPending(true)
    setErrors({})
    try {
      const result = await last.current()
      if (result.kind === 'invalid') setErrors(result.fields)
      else setAnswered(result.kind === 'settled' ? result.operation.outcome : result.outcome)
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
    outcome,
    start: (action: () => Promise<WebhookActionResult>) => {
      last.current = action
      void run()
    },
    retry: () => void run(),
  }
}
