import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { runConnectionCheck } from '#lib/actions/connection.ts'
import type { Environment } from '#lib/shared/routes.ts'

/** Runs a check of the connection; the first one of an environment runs without a click. */
export function useConnectionCheck(environment: Environment, isFirst: boolean) {
  const client = useQueryClient()
  const [isPending, setIsPending] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const hasStarted = useRef(false)
  const run = useCallback(() => {
    hasStarted.current = true
    setIsPending(true)
    setProblem(null)
    runConnectionCheck({ environment })
      .then((result) => setProblem(result.kind === 'refused' ? result.outcome.message : null))
      .catch(() => setProblem('Carddesk isn’t responding. Nothing was changed. Try again.'))
      .finally(() => {
        setIsPending(false)
        void client.invalidateQueries({ queryKey: [environment, 'connection'] })
      })
  }, [client, environment])
  useEffect(() => {
    if (isFirst && !hasStarted.current) run()
  }, [isFirst, run])
  return { isPending, problem, run }
}
