'use client'

import { useQuery } from '@tanstack/react-query'
import { Check, Pin, PinOff } from 'lucide-react'
import { useEnvironment, useRead } from '#components/environment/use-environment.ts'
import { usePermissions } from '#components/environment/use-permissions.ts'
import { readFailure } from '#components/environment/when-read.tsx'
import { Badge } from '#components/ui/badge.tsx'
import { Button } from '#components/ui/button.tsx'
import { IconButton } from '#components/ui/icon-button.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { Time } from '#components/ui/time.tsx'
import { finishHandover, pinNote } from '#lib/actions/console.ts'
import { roleNames } from '#lib/console/desk/permissions.ts'
import type { Handover, Note } from '#lib/console/notes/shapes.ts'
import { readQuery } from '#lib/queries/reads.ts'
import { minuteMs } from '#lib/shared/time.ts'
import { NoteForm, useNoteAction, type NoteTarget } from './note-form.tsx'

/** What the team wrote on a record. The service never gets it. */
export function NotesPanel({ target }: { target: NoteTarget }) {
  const { type, id } = target
  const environment = useEnvironment()
  const { data, error } = useRead('listNotes', type, id)
  const { role, may } = usePermissions()
  const mayWrite = may.has('notes.write')
  // The frame reads it where the sandbox has a clock of its own. Everything else on the page is by that clock.
  const { data: sandbox } = useQuery({ ...readQuery('readLabState', environment), enabled: false })
  const hasOtherClock = Math.abs(sandbox?.aheadMs ?? 0) > minuteMs
  const failure = data ? null : readFailure(error, 'The notes')
  return (
    <Panel
      title="Notes"
      // The field takes what height is left beside a higher panel.
      className="*:last:flex *:last:flex-col"
      {...(hasOtherClock ? { note: 'times in real time' } : {})}
    >
      {failure && <p className="text-soft">{failure.title}</p>}
      {data?.notes.length === 0 && <p className="text-soft">No notes yet.</p>}
      {data && data.notes.length > 0 && (
        <ul className="grid gap-3">
          {data.notes.map((note) => (
            <NoteItem key={note.id} note={note} mayWrite={mayWrite} />
          ))}
        </ul>
      )}
      {data?.hasMore && <p className="mt-3 text-xs text-faint">Older notes are not shown.</p>}
      {mayWrite && <NoteForm target={target} />}
      {role !== undefined && !mayWrite && (
        <p className="mt-3 text-xs text-faint">{`${roleNames[role]}s can read notes, not write them.`}</p>
      )}
    </Panel>
  )
}

function NoteItem({ note, mayWrite }: { note: Note; mayWrite: boolean }) {
  const { id: noteId, text, by, at, isPinned, handover } = note
  const { isPending, problem, run } = useNoteAction()
  return (
    <li className="min-w-0 rounded-control border px-3 py-2">
      <div className="flex min-h-6 flex-wrap items-center gap-x-2 text-xs text-soft">
        {isPinned && (
          <Badge tone="info" icon={<Pin aria-hidden="true" />}>
            Pinned
          </Badge>
        )}
        <span className="font-medium text-ink">{by.name}</span>
        <span>{roleNames[by.role]}</span>
        <Time instant={at} />
        {mayWrite && (
          <IconButton
            size="small"
            className="ml-auto"
            label={isPinned ? 'Unpin note' : 'Pin note'}
            icon={isPinned ? <PinOff /> : <Pin />}
            isPending={isPending}
            onClick={() => void run((environment) => pinNote({ environment, noteId, isPinned: !isPinned }))}
          />
        )}
      </div>
      <p className="mt-0.5 whitespace-pre-wrap wrap-anywhere">{text}</p>
      {handover && (
        <div className="mt-1.5 flex flex-wrap items-center gap-2 text-xs">
          <HandoverText handover={handover} />
          {mayWrite && handover.done === null && (
            <Button
              size="small"
              icon={<Check />}
              isPending={isPending}
              onClick={() => void run((environment) => finishHandover({ environment, noteId }))}
            >
              Mark done
            </Button>
          )}
        </div>
      )}
      {problem && (
        <p role="alert" className="mt-1 text-xs text-bad">
          {problem}
        </p>
      )}
    </li>
  )
}

function HandoverText({ handover: { role, person, done } }: { handover: Handover }) {
  const whom = person ?? (role && roleNames[role])
  if (done === null) return <Badge tone="warn">Waits for {whom}</Badge>
  return (
    <>
      <Badge tone="good" icon={<Check aria-hidden="true" />}>
        Done
      </Badge>
      <span className="text-soft">
        by {done.by} <Time instant={done.at} />
      </span>
    </>
  )
}
