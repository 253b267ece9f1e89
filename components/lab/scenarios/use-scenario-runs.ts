import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { recordScenario, startScenarios, stopScenarios } from '#lib/actions/lab.ts'
import type { StartScenariosResult, ScenarioVariable } from '#lib/console/lab/shapes.ts'
import { readKey } from '#lib/queries/reads.ts'
import type { Environment } from '#lib/shared/routes.ts'

type Chosen = ({ names: string[] } | { text: string }) & { variables?: Record<string, string> }
export type Mistake = Extract<StartScenariosResult, { kind: 'mistakes' }>['mistakes'][number]

/** Starts and stops runs. `onStarted` gets the id of a run that began. */
export function useScenarioRuns(environment: Environment, onStarted: (runId: string) => void) {
  const client = useQueryClient()
  const [isPending, setIsPending] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const [mistakes, setMistakes] = useState<Mistake[]>([])
  /** The variables of a file that needs values. */
  const [variables, setVariables] = useState<ScenarioVariable[]>([])
  const refresh = () => client.invalidateQueries({ queryKey: readKey('listScenarios', environment).slice(0, 2) })

  async function start(chosen: Chosen) {
    setIsPending(true)
    setProblem(null)
    setMistakes([])
    try {
      const result = await startScenarios({ environment, runId: crypto.randomUUID(), ...chosen })
      if (result.kind === 'started') onStarted(result.runId)
      else if (result.kind === 'mistakes') setMistakes(result.mistakes)
      else if (result.kind === 'variables') setVariables(result.variables)
      else if (result.kind === 'problem') setProblem(result.message)
      else if (result.kind === 'refused') setProblem(result.outcome.happened)
      else
        setProblem(
          Object.entries(result.fields)
            .map(([field, issue]) => `${field} ${issue}.`)
            .join(' '),
        )
      await refresh()
    } catch {
      setProblem('Carddesk isn’t responding. The run may have started. Check the newest run.')
    } finally {
      setIsPending(false)
    }
  }

  async function stop(runId: string) {
    setProblem(null)
    try {
      const result = await stopScenarios({ environment, runId })
      if (result.kind === 'refused') setProblem(result.outcome.happened)
      await refresh()
    } catch {
      setProblem('Carddesk did not respond. Try again.')
    }
  }

  async function record(isRecording: boolean) {
    setProblem(null)
    try {
      const result = await recordScenario({ environment, isRecording })
      if (result.kind === 'refused') setProblem(result.outcome.happened)
      await refresh()
    } catch {
      setProblem('Carddesk did not respond. Try again.')
    }
  }

  function forgetFile() {
    setMistakes([])
    setVariables([])
  }

  return { isPending, problem, mistakes, variables, start, stop, record, refresh, forgetFile }
}
