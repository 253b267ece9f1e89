import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useEnvironment } from '#components/environment/use-environment.ts'
import { errorSentences } from '#components/form/error-sentence.ts'
import { refetchChanged, useAction } from '#components/operations/use-action.ts'
import { useOpened } from '#components/ui/dialog.tsx'
import type { StartScenariosResult, ScenarioVariable } from '#lib/qa/lab/types.ts'
import { useSandbox } from '../use-sandbox.ts'

type Chosen = ({ names: string[] } | { text: string }) & { variables?: Record<string, string> }
/** `titles`: those that disturb others, of `total` that were chosen. */
export type SharedQuestion = {
  kind: 'moves-clock' | 'replaces-contents'
  titles: readonly string[]
  total: number
  run: () => void
}
export type Mistake = Extract<StartScenariosResult, { kind: 'mistakes' }>['mistakes'][number]

/**
 * Starts and stops runs. `onStarted` gets the id of a run that began. `question` is open where a run would move the clock of the shared
 * sandbox or replace its contents; its `run` starts it all the same.
 */
export function useScenarioRuns(onStarted: (runId: string) => void) {
  const environment = useEnvironment()
  const client = useQueryClient()
  const { search } = useSandbox()
  const starting = useAction()
  const { problem: failure, run } = useAction()
  const [mistakes, setMistakes] = useState<Mistake[]>([])
  /** The variables of a file that needs values. */
  const [variables, setVariables] = useState<ScenarioVariable[]>([])
  const [needsValues, setNeedsValues] = useState(false)
  const [fileProblem, setFileProblem] = useState<string | null>(null)
  const question = useOpened<SharedQuestion>()
  const refresh = () => refetchChanged(client, environment, 'startScenarios')

  async function start(chosen: Chosen, mayDisturbOthers = false) {
    setFileProblem(null)
    setMistakes([])
    setNeedsValues(false)
    const result = await starting.run('startScenarios', {
      ...search,
      runId: crypto.randomUUID(),
      mayDisturbOthers,
      ...chosen,
    })
    if (result?.kind === 'started') onStarted(result.runId)
    else if (result?.kind === 'mistakes') setMistakes(result.mistakes)
    else if (result?.kind === 'variables') {
      setVariables(result.variables)
      setNeedsValues(true)
    } else if (result?.kind === 'problem') setFileProblem(result.message)
    else if (result?.kind === 'moves-clock' || result?.kind === 'replaces-contents') {
      const total = 'names' in chosen ? chosen.names.length : 1
      question.open({ ...result, total, run: () => void start(chosen, true) })
    }
  }

  const stop = (runId: string) => run('stopScenarios', { runId })
  const record = (isRecording: boolean) => run('recordScenario', { isRecording })
  const problem =
    fileProblem ?? starting.problem?.happened ?? failure?.happened ?? (errorSentences(starting.errors) || null)

  function forgetFile() {
    setMistakes([])
    setVariables([])
  }

  return {
    isPending: starting.isPending,
    problem,
    mistakes,
    variables,
    needsValues,
    question: question.opened,
    start,
    stop,
    record,
    refresh,
    forgetFile,
  }
}
