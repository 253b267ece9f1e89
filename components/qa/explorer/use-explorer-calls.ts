import { useState } from 'react'
import { useEnvironment } from '#components/environment/use-environment.ts'
import { type ActionInput, runAction } from '#lib/actions/run-action.ts'
import type { Exchange, PlacedIssue } from '#lib/qa/lab/types.ts'
import { fetchRead } from '#lib/queries/reads.ts'
import type { Prefill } from './draft.ts'

export type SendInput = ActionInput<'sendExplorerRequest'>

/** Sends a request of the explorer and reads its example, one at a time, with what came of it. */
export function useExplorerCalls() {
  const environment = useEnvironment()
  const [pending, setPending] = useState<'send' | 'example' | null>(null)
  const [issues, setIssues] = useState<readonly PlacedIssue[]>([])
  const [problem, setProblem] = useState<{ title: string; text: string } | null>(null)
  const [sent, setSent] = useState<{ exchange: Exchange; body: string | null } | null>(null)

  async function send(input: SendInput) {
    if (pending) return
    setPending('send')
    setProblem(null)
    const result = await runAction('sendExplorerRequest', input).catch(() => null)
    setPending(null)
    if (result === null) {
      setProblem({
        title: 'We don’t know if it was sent.',
        text: 'Couldn’t reach the console. Check the recent requests.',
      })
    } else if (result.kind === 'sent') {
      setSent({ exchange: result.exchange, body: input.body })
      setIssues(result.exchange.issues)
    } else if (result.kind === 'incorrect') {
      setIssues(result.issues)
    } else {
      const text = result.kind === 'refused' ? result.outcome.happened : Object.values(result.fields).join(' ')
      setProblem({ title: 'Not sent.', text })
    }
  }

  /** Null where it could not be read. */
  async function readExample(endpoint: string, search: { sandbox?: string }): Promise<Prefill | null> {
    setPending('example')
    setProblem(null)
    try {
      const signal = AbortSignal.timeout(20_000)
      const { params = {}, query = {}, body } = await fetchRead(signal, 'readExample', environment, endpoint, search)
      setIssues([])
      return { params, query, body: body ? JSON.stringify(body, null, 2) : null }
    } catch (error) {
      setProblem({ title: 'Couldn’t read the example.', text: error instanceof Error ? error.message : '' })
      return null
    } finally {
      setPending(null)
    }
  }

  return { pending, issues, problem, sent, send, readExample }
}
