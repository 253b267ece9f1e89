'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { NoteResult } from '#lib/console/notes/shapes.ts'

/** Runs an action on a note and reads again what shows it. `problem` is a sentence, null where it was saved. */
export function useNoteAction() {
  const client = useQueryClient()
  const [isPending, setIsPending] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  return {
    isPending,
    problem,
    async run(action: () => Promise<NoteResult>): Promise<boolean> {
      setIsPending(true)
      const result = await action().catch(() => null)
      const isSaved = result?.kind === 'saved'
      setProblem(isSaved ? null : problemOf(result))
      if (isSaved) {
        await client.invalidateQueries({
          predicate: ({ queryKey: [, topic] }) => topic === 'notes' || topic === 'my-work',
        })
      }
      setIsPending(false)
      return isSaved
    },
  }
}

function problemOf(result: Exclude<NoteResult, { kind: 'saved' }> | null): string {
  if (result === null) return 'Couldn’t save it. Carddesk isn’t responding. Try again.'
  if (result.kind === 'refused') return `Couldn’t save it. ${result.outcome.happened}`
  if (result.fields.text) return `The note ${result.fields.text}.`
  if (result.fields.handover) return 'This person can’t take notes any more. Choose somebody else.'
  return 'Couldn’t save it. Reload the page and try again.'
}
