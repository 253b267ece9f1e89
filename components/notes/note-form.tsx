'use client'

import { useEffect, useState } from 'react'
import { useEnvironment, useRead } from '#components/environment/use-environment.ts'
import { parseWallTime } from '#components/filters/day-range.ts'
import { Checkbox } from '#components/form/checkbox.tsx'
import { SelectField } from '#components/form/select-field.tsx'
import { TextArea } from '#components/form/text-area.tsx'
import { TextField } from '#components/form/text-field.tsx'
import { useAction } from '#components/operations/use-action.ts'
import { Button } from '#components/ui/button.tsx'
import { usePageZone } from '#components/ui/page-zone.tsx'
import type { ActionInput } from '#lib/actions/run-action.ts'
import type { NoteTargetType } from '#lib/api/notes.ts'
import { roleNames, type Role } from '#lib/auth/permissions.ts'
import { longestNote } from '#lib/console/notes/types.ts'
import type { Outcome } from '#lib/operations/types.ts'
import { holdsCardNumber } from '#lib/shared/card-numbers.ts'

export type NoteTarget = { type: NoteTargetType; id: string }

type Draft = { noteId: string; text: string; whom: string; due: string; isPinned: boolean }

/** Everybody of a role whose name is no team's. */
const everybodyOf: Partial<Record<Role, string>> = { approver: 'Every approver', admin: 'Every admin' }

const emptyDraft: Draft = { noteId: '', text: '', whom: '', due: '', isPinned: false }

/** Half-written notes by their record. They survive going to other pages of the console, in the memory of this tab alone. */
const drafts = new Map<string, Draft>()

/** Writes a note. What cannot be saved stays in the form; a saved note empties it and makes the id of the next one. */
export function NoteForm({ target: { type, id } }: { target: NoteTarget }) {
  const { data: assignees } = useRead('listAssignees')
  const { data: listed } = useRead('listNotes', type, id)
  const slot = `${useEnvironment()} ${type} ${id}`
  const [draft, setDraft] = useState(() => drafts.get(slot) ?? emptyDraft)
  const { noteId, text, whom, due, isPinned } = draft
  const zone = usePageZone()
  const [isChecked, setIsChecked] = useState(false)
  const { isPending, problem, run } = useNoteAction()
  const isListed = listed?.notes.some((note) => note.id === noteId) ?? false
  // Its response was lost, and the note was saved.
  useEffect(() => {
    if (isListed && !isPending) empty()
  })

  const issue =
    text.trim() === ''
      ? isChecked && 'Write the note first.'
      : holdsCardNumber(text) && 'This looks like a card number. Use its last four digits.'

  function change(changes: Partial<Draft>) {
    // What is changed after a lost response is another note: the first one may have been saved.
    const next = { ...draft, noteId: '', ...changes }
    setDraft(next)
    if (next.text.trim() === '') drafts.delete(slot)
    else drafts.set(slot, next)
  }

  async function save() {
    setIsChecked(true)
    if (text.trim() === '' || holdsCardNumber(text) || isPending) return
    const sentId = noteId || crypto.randomUUID()
    change({ noteId: sentId })
    const handover = parseHandover(whom)
    const dueAt = handover && parseWallTime(due, zone.name)
    const isSaved = await run('addNote', {
      noteId: sentId,
      targetType: type,
      targetId: id,
      text,
      isPinned,
      handover,
      dueAt,
    })
    // What was typed meanwhile is another note.
    if (isSaved && (drafts.get(slot)?.noteId ?? sentId) === sentId) empty()
  }

  function empty() {
    drafts.delete(slot)
    setDraft(emptyDraft)
    setIsChecked(false)
  }

  return (
    <form
      method="dialog"
      aria-label="Add note"
      // Its draft is there again when the person comes back; a reload would lose it.
      data-work="kept"
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
        onChange={(event) => change({ text: event.target.value })}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
          event.preventDefault()
          void save()
        }}
        error={issue || (noteId !== '' && problem)}
      />
      <div className="flex flex-wrap items-end gap-x-3 gap-y-2">
        <SelectField
          label="Hand over to"
          className="min-w-40 flex-1"
          placeholder="Nobody"
          value={whom}
          onChange={(event) => change({ whom: event.target.value })}
          options={[
            ...(assignees?.roles ?? []).map((role) => ({
              value: `role:${role}`,
              label: everybodyOf[role] ?? `Everybody in ${roleNames[role]}`,
            })),
            ...(assignees?.people ?? []).map((person) => ({
              value: `person:${person.id}`,
              label: `${person.name}, ${roleNames[person.role]}`,
            })),
          ]}
        />
        {whom !== '' && (
          <TextField
            type="datetime-local"
            label={`Due, ${zone.label}`}
            isOptional
            className="min-w-44 flex-1"
            value={due}
            onChange={(event) => change({ due: event.target.value })}
          />
        )}
        <Checkbox
          label="Pin"
          className="py-1.5"
          checked={isPinned}
          onChange={(event) => change({ isPinned: event.target.checked })}
        />
        <Button type="submit" className="h-9" isPending={isPending}>
          Add note
        </Button>
      </div>
    </form>
  )
}

/** The choice of the form as the action takes it. */
function parseHandover(whom: string): ActionInput<'addNote'>['handover'] {
  const [kind, value = ''] = whom.split(':')
  if (kind === 'role') return { role: value as Role }
  return kind === 'person' ? { staffId: value } : null
}

/** An action on a note. `problem` is a sentence, null where it was saved. */
export function useNoteAction() {
  const { problem, errors, ...action } = useAction()
  return { ...action, problem: problem ? problemText(problem) : formatIssue(errors) }
}

/** After a lost response the note may have been saved; trying again saves it once. */
function problemText({ state, happened, next }: Outcome): string {
  return state === 'unknown' ? `${happened} ${next}` : `Couldn’t save it. ${happened}`
}

function formatIssue(errors: Record<string, string>): string | null {
  if (Object.keys(errors).length === 0) return null
  if (errors.text) return `The note ${errors.text}.`
  if (errors.handover) return 'This person can’t take notes any more. Choose somebody else.'
  return 'Couldn’t save it. Reload the page and try again.'
}
