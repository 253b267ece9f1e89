import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useEnvironment } from '#components/environment/use-environment.ts'
import type { ConfirmOutcome } from '#components/form/confirm-dialog.tsx'
import { errorSentences } from '#components/form/error-sentence.ts'
import { refetchChanged } from '#components/operations/use-action.ts'
import { findEntry } from '#components/ui/code-entry.ts'
import { count } from '#components/ui/count.ts'
import type { ActionOutput } from '#lib/actions/run-action.ts'

type SentToWebhook = ActionOutput<'testWebhook'>
type WebhookPing = Extract<SentToWebhook, { kind: 'sent' }>['ping']
type Labels = Pick<ConfirmOutcome, 'tone' | 'title'> & { body: string; requestId: string | null }

const unchanged = 'Nothing was changed: retries and pings go on as they were.'

const problems: Record<string, (ping: WebhookPing) => { title: string; body: string }> = {
  HTTP_STATUS: ({ status, durationMs }) => ({
    title: `Refused with HTTP ${status ?? '?'} after ${count.format(durationMs)} ms.`,
    body: 'Only HTTP 200 counts, and redirects are not followed. Check the endpoint’s log.',
  }),
  TIMEOUT: () => ({
    title: 'No response in 15 s.',
    body: 'An endpoint has 15 seconds to respond. Respond first, process later.',
  }),
  ADDRESS_REFUSED: () => ({
    title: 'The address is refused.',
    body: 'It does not lead to a public address, so nothing was sent. Check the DNS entry, or add a webhook with another URL.',
  }),
  NO_CONNECTION: () => ({
    title: 'No connection.',
    body: 'The URL refuses connections, its name is unknown, or its certificate isn’t accepted.',
  }),
}

/** The result of a test, as text: what happened, whether anything changed, what to do next. */
export function testLabels(result: SentToWebhook, stateBefore: string): Labels {
  if (result.kind === 'invalid') {
    return { tone: 'bad', title: 'Not sent.', body: errorSentences(result.fields), requestId: null }
  }
  if (result.kind === 'refused') {
    const { happened, next, code, requestId } = result.outcome
    // A ping may have gone out before its result was lost.
    const isLost = code === 'SERVICE_UNREACHABLE'
    return {
      tone: isLost ? 'warn' : 'bad',
      title: isLost ? 'The result is not known.' : 'Not sent.',
      body: isLost ? happened : `${happened} ${next}`,
      requestId,
    }
  }
  const { ping } = result
  if (ping.delivered) {
    const isHealed = stateBefore === 'suspended' || stateBefore === 'unhealthy'
    return {
      tone: 'good',
      title: `Delivered in ${count.format(ping.durationMs)} ms.`,
      body: isHealed
        ? 'The endpoint returned HTTP 200. Its queue is now delivered in order.'
        : 'The endpoint returned HTTP 200.',
      requestId: null,
    }
  }
  const known = findEntry(problems, ping.problem ?? '')
  const { title, body } = known?.(ping) ?? {
    title: `Not delivered: ${ping.problem ?? 'no reason was given'}.`,
    body: 'No known reason was given.',
  }
  return { tone: 'bad', title, body: `${body} ${unchanged}`, requestId: null }
}

/** Labels for a response of Carddesk itself that was lost. `what` was sent: "A test". */
function lostLabels(what: string): Labels {
  return {
    tone: 'warn',
    title: 'The result is not known.',
    body: `Carddesk didn’t respond. ${what} can be repeated.`,
    requestId: null,
  }
}

/** `atMs`: when the browser learned it. */
export type SentLabels = Labels & { atMs: number }

/** Sends something to a webhook beside its queue, one at a time, and describes the result of the last. `what` is sent: "A test". */
export function useWebhookSend(action: 'testWebhook' | 'replayDelivery', what: string) {
  const environment = useEnvironment()
  const client = useQueryClient()
  const [pendingId, setPendingId] = useState<string | null>(null)
  const [labels, setLabels] = useState<SentLabels | null>(null)
  return {
    /** What is being sent: the id that `send` got. */
    pendingId,
    labels,
    send: async (id: string, run: () => Promise<SentToWebhook>, stateBefore: string) => {
      if (pendingId !== null) return
      setPendingId(id)
      setLabels(null)
      const sent = await run().then(
        (result) => testLabels(result, stateBefore),
        () => lostLabels(what),
      )
      setLabels({ ...sent, atMs: Date.now() })
      setPendingId(null)
      void refetchChanged(client, environment, action)
    },
  }
}
