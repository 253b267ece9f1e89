'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { showToast } from '#components/ui/toasts.tsx'
import type { NotStarted, Outcome } from '#lib/console/desk/shapes.ts'
import { readKey } from '#lib/queries/reads.ts'
import type { ReadName } from '#lib/shared/reads.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { lostResponse } from './outcome-text.tsx'
import { withStepUp } from './with-step-up.ts'

/**
 * A change of the console's own data, such as staff or passkeys, confirmed by a passkey where that is required. On
 * success the dialog closes and a toast says so. On an error `problem` and `errors` go to the form.
 */
export function useStaffAction(environment: Environment, stale: ReadName, onClose: () => void) {
  const client = useQueryClient()
  const [isPending, setIsPending] = useState(false)
  const [problem, setProblem] = useState<Outcome | null>(null)
  const [errors, setErrors] = useState<Record<string, string>>({})

  async function run(done: string, send: () => Promise<{ kind: 'done' } | NotStarted>) {
    if (isPending) return
    setIsPending(true)
    setProblem(null)
    setErrors({})
    const result = await withStepUp<{ kind: 'done' } | NotStarted>(send).catch(() => null)
    setIsPending(false)
    await client.invalidateQueries({ queryKey: readKey(stale, environment) })
    if (result?.kind === 'invalid') return setErrors(result.fields)
    if (result?.kind !== 'done') return setProblem(result?.outcome ?? lostResponse)
    showToast({ tone: 'good', title: done })
    onClose()
  }

  return { isPending, problem, errors, run }
}
