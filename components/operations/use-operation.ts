'use client'

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { resolveOperation } from '#lib/actions/operations.ts'
import type { ActionResult } from '#lib/console/desk/operations/act.ts'
import type { Outcome } from '#lib/console/desk/operations/outcome.ts'
import { readQuery } from '#lib/queries/reads.ts'
import type { ReadTopic } from '#lib/shared/reads.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { lostResponse } from './outcome-text.tsx'

function isOpen(outcome: Outcome | null): boolean {
  return outcome?.state === 'unknown' || outcome?.state === 'running'
}

/**
 * One operation from its first press to the truth. Pressing again while it runs does nothing, trying again repeats the same
 * operation, and an outcome that is open is asked for until it is known. `touched` are the topics of the
 * reads that it may have changed; keep the array outside of the component.
 */
export function useOperation<Read = unknown>(
  environment: Environment,
  operationId: string,
  touched: readonly ReadTopic[],
  onSettled?: (result: Extract<ActionResult<Read>, { kind: 'settled' }>) => void,
) {
  const client = useQueryClient()
  const isRunning = useRef(false)
  const last = useRef<(() => Promise<ActionResult<Read>>) | null>(null)
  const [isPending, setIsPending] = useState(false)
  const [received, setReceived] = useState<Outcome | null>(null)
  const [resultId, setResultId] = useState<string | null>(null)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const polled = useQuery({ ...readQuery('readOperation', environment, operationId), enabled: isOpen(received) })
  const outcome = isOpen(received) ? (polled.data?.outcome ?? received) : received
  const settledAs = isOpen(outcome) ? null : (outcome?.state ?? null)

  useEffect(() => {
    if (settledAs === null) return
    for (const part of [...touched, 'audit']) void client.invalidateQueries({ queryKey: [environment, part] })
  }, [settledAs, client, environment, touched])

  async function run() {
    if (isRunning.current || !last.current) return
    isRunning.current = true
    setIsPending(true)
    setErrors({})
    try {
      const result = await last.current()
      if (result.kind === 'invalid') return setErrors(result.fields)
      setReceived(result.kind === 'settled' ? result.operation.outcome : result.outcome)
      if (result.kind !== 'settled') return
      setResultId(result.operation.resultId)
      onSettled?.(result)
    } catch {
      setReceived(lostResponse)
    } finally {
      isRunning.current = false
      setIsPending(false)
    }
  }

  return {
    isPending,
    errors,
    setErrors,
    /** Takes the error of a field away that is being changed, and those within it. */
    correct: (field: string) =>
      setErrors((before) => {
        const left = Object.entries(before).filter(([name]) => name !== field && !name.startsWith(`${field}.`))
        return left.length === Object.keys(before).length ? before : Object.fromEntries(left)
      }),
    outcome,
    start: (action: () => Promise<ActionResult<Read>>) => {
      last.current = action
      void run()
    },
    retry() {
      void run()
    },
    /** Takes the outcome away, so that another operation can follow. */
    clear: () => {
      last.current = null
      setReceived(null)
    },
    /** The id of the record that the operation made, once it is known. */
    resultId: polled.data?.resultId ?? resultId,
    /** Says what a person found out about an operation that the console cannot settle (`needsReview`). */
    resolve: (resolution: 'made' | 'not-made') => {
      const resolved = () => resolveOperation({ environment, operationId, resolution })
      last.current = resolved as typeof last.current
      void run()
    },
  }
}
