'use client'

import { useState } from 'react'
import { useRead } from '#components/environment/use-environment.ts'
import { Checkbox } from '#components/form/checkbox.tsx'
import { SelectField } from '#components/form/select-field.tsx'
import { TextArea } from '#components/form/text-area.tsx'
import { lostResponse } from '#components/operations/outcome-text.tsx'
import { useAction } from '#components/operations/use-action.ts'
import { Button } from '#components/ui/button.tsx'
import { addNote } from '#lib/actions/console.ts'
import { roleNames, type Role } from '#lib/console/desk/permissions.ts'
import { longestNote, type NoteTargetType } from '#lib/console/notes/shapes.ts'
import { holdsCardNumber } from '#lib/shared/card-numbers.ts'

export type NoteTarget = { type: NoteTargetType; id: string }

/** Writes a note. What cannot be saved stays in the form; a saved note empties it and makes the id of the next one. */
export function NoteForm({ target: { type, id } }: { target: NoteTarget }) {
  const { data: assignees } = useRead('listAssignees')
  const [noteId, setNoteId] = useState('')
  const [text, setText] = useState('')
  const [whom, setWhom] = useState('')
  const [isPinned, setIsPinned] = useState(false)
  const [isChecked, setIsChecked] = useState(false)
  const { isPending, problem, run } = useNoteAction()

  const issue =
    text.trim() === ''
      ? isChecked && 'Write the note first.'
      : holdsCardNumber(text) && 'This looks like a card number. Use its last four digits.'

  async function save() {
    setIsChecked(true)
    if (text.trim() === '' || holdsCardNumber(text) || isPending) return
    const sentId = noteId || crypto.randomUUID()
    setNoteId(sentId)
    const handover = handoverOf(whom)
    const isSaved = await run((environment) =>
      addNote({ environment, noteId: sentId, targetType: type, targetId: id, text, isPinned, handover }),
    )
    if (!isSaved) return
    setNoteId('')
    setText('')
    setWhom('')
    setIsPinned(false)
    setIsChecked(false)
  }

  return (
    <form
      method="dialog"
      aria-label="Add note"
      className="mt-3 flex grow flex-col gap-2.5 [ul+&]:border-t [ul+&]:pt-3"
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <TextArea
        label="Note"
        isLabelHidden
        className="flex grow flex-col [&>textarea]:grow"
        placeholder="Write a note for the team"
        rows={2}
        maxLength={longestNote}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
          event.preventDefault()
          void save()
        }}
        error={issue || problem}
      />
      <div className="flex flex-wrap items-end gap-x-3 gap-y-2">
        <SelectField
          label="Hand over to"
          className="min-w-40 flex-1"
          placeholder="Nobody"
          value={whom}
          onChange={(event) => setWhom(event.target.value)}
          options={[
            ...(assignees?.roles ?? []).map((role) => ({
              value: `role:${role}`,
              label: `Everybody in ${roleNames[role]}`,
            })),
            ...(assignees?.people ?? []).map((person) => ({
              value: `person:${person.id}`,
              label: `${person.name}, ${roleNames[person.role]}`,
            })),
          ]}
        />
        <Checkbox
          label="Pin"
          className="py-1.5"
          checked={isPinned}
          onChange={(event) => setIsPinned(event.target.checked)}
        />
        <Button type="submit" className="h-9" isPending={isPending}>
          Add note
        </Button>
      </div>
    </form>
  )
}

/** The choice of the form as the action takes it. */
function handoverOf(whom: string): Parameters<typeof addNote>[0]['handover'] {
  const [kind, value = ''] = whom.split(':')
  if (kind === 'role') return { role: value as Role }
  return kind === 'person' ? { staffId: value } : null
}

/** An action on a note. `problem` is a sentence, null where it was saved. */
export function useNoteAction() {
  const { problem, errors, ...action } = useAction('notes', 'my-work')
  return {
    ...action,
    problem: problem
      ? `Couldn’t save it. ${problem === lostResponse ? notResponding : problem.happened}`
      : issueOf(errors),
  }
}

const notResponding = 'Carddesk isn’t responding. Try again.'

function issueOf(errors: Record<string, string>): string | null {
  if (Object.keys(errors).length === 0) return null
  if (errors.text) return `The note ${errors.text}.`
  if (errors.handover) return 'This person can’t take notes any more. Choose somebody else.'
  return 'Couldn’t save it. Reload the page and try again.'
}
