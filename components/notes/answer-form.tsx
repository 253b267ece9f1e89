'use client'

import { useEffect, useRef, useState } from 'react'
import { TextArea } from '#components/form/text-area.tsx'
import { Button } from '#components/ui/button.tsx'
import { isNoteTargetType } from '#lib/api/notes.ts'
import { longestNote, type Note } from '#lib/console/notes/types.ts'
import { holdsCardNumber } from '#lib/shared/card-numbers.ts'
import { useNoteAction } from './note-form.tsx'

/** Answers a note; the answer waits for its author. `answers` are those that the note has. */
export function AnswerForm({
  note: { id: answersId, target, by },
  answers,
  onDone,
}: {
  note: Note
  answers: readonly Note[]
  onDone: () => void
}) {
  const [noteId] = useState(() => crypto.randomUUID())
  const [text, setText] = useState('')
  const { isPending, problem, run } = useNoteAction()
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector('textarea')?.focus(), [])
  const issue = holdsCardNumber(text) && 'This looks like a card number. Use its last four digits.'
  // Its response was lost, and the answer was saved.
  const isListed = answers.some(({ id }) => id === noteId)
  useEffect(() => {
    if (isListed && !isPending) onDone()
  })

  async function send() {
    const { type: targetType } = target
    if (text.trim() === '' || issue || isPending || !isNoteTargetType(targetType)) return
    const isSaved = await run('addNote', { noteId, targetType, targetId: target.id, text, answersId })
    if (isSaved) onDone()
  }

  return (
    <form
      ref={form}
      method="dialog"
      aria-label={`Answer ${by.name}`}
      className="mt-2 grid gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <TextArea
        label={`Answer to ${by.name}`}
        rows={1}
        maxLength={longestNote}
        value={text}
        readOnly={isPending}
        onChange={(event) => setText(event.target.value)}
        error={issue || problem}
      />
      <div className="flex justify-end gap-2">
        <Button size="small" onClick={onDone}>
          Cancel
        </Button>
        <Button
          size="small"
          type="submit"
          isPending={isPending}
          unavailable={text.trim() === '' ? 'Write the answer first.' : undefined}
        >
          Send answer
        </Button>
      </div>
    </form>
  )
}
