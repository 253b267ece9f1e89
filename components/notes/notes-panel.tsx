'use client'

import { useQuery } from '@tanstack/react-query'
import { Check, Pin, PinOff, Reply } from 'lucide-react'
import { Suspense, useRef, useState } from 'react'
import { useEnvironment, useRead } from '#components/environment/use-environment.ts'
import { usePermissions } from '#components/environment/use-permissions.ts'
import { readFailure } from '#components/environment/when-read.tsx'
import { Badge } from '#components/ui/badge.tsx'
import { Button } from '#components/ui/button.tsx'
import { IconButton } from '#components/ui/icon-button.tsx'
import { lazyPart } from '#components/ui/lazy-part.ts'
import { Panel } from '#components/ui/panel.tsx'
import { TextLink } from '#components/ui/text-link.tsx'
import { Time, useTicking } from '#components/ui/time.tsx'
import { roleName, roleNames } from '#lib/auth/permissions.ts'
import type { Handover, Note } from '#lib/console/notes/types.ts'
import { currentStaffQuery } from '#lib/queries/session.ts'
import { sameId, shortId } from '#lib/shared/ids.ts'
import { recordHref } from '../operations/record-href.ts'
import { NoteForm, useNoteAction, type NoteTarget } from './note-form.tsx'

const AnswerForm = lazyPart(() => import('./answer-form.tsx').then((file) => file.AnswerForm))

/** The team's notes on a record. The service never gets them. */
export function NotesPanel({ target }: { target: NoteTarget }) {
  const { type, id } = target
  const { data, error } = useRead('listNotes', type, id)
  const { role, may } = usePermissions()
  const mayWrite = may.has('notes.write')
  const failure = data ? null : readFailure(error, 'The notes')
  return (
    <Panel
      title="Notes"
      // The field takes what height is left beside a higher panel.
      className="*:last:flex *:last:flex-col"
    >
      {failure && <p className="text-soft">{failure.title}</p>}
      {data?.notes.length === 0 && <p className="text-soft">No notes yet.</p>}
      {data && data.notes.length > 0 && (
        <ul className="grid gap-3">
          {toThreads(data.notes).map(({ note, answers }) => (
            <NoteItem
              key={note.id}
              note={note}
              answers={answers}
              isElsewhere={!isOn(note, target)}
              mayWrite={mayWrite}
            />
          ))}
        </ul>
      )}
      {data?.hasMore && <p className="mt-3 text-xs text-faint">Older notes are not shown.</p>}
      {mayWrite && <NoteForm key={`${type} ${id}`} target={target} />}
      {role !== undefined && !mayWrite && (
        <p className="mt-3 text-xs text-faint">{`${roleNames[role]}s can read notes, not write them.`}</p>
      )}
    </Panel>
  )
}

/** Each note with its answers, and theirs, the oldest first. An answer whose note is not shown begins a thread. */
export function toThreads(notes: readonly Note[]): { note: Note; answers: Note[] }[] {
  const shown = new Map(notes.map((note) => [note.id, note]))
  const firstOf = (note: Note): Note => {
    const answered = note.answersId === null ? undefined : shown.get(note.answersId)
    return answered ? firstOf(answered) : note
  }
  const threads = Map.groupBy(notes, firstOf)
  return notes
    .filter((note) => threads.has(note))
    .map((note) => ({ note, answers: (threads.get(note) ?? []).filter((one) => one !== note).toReversed() }))
}

function isOn({ target }: Note, { type, id }: NoteTarget): boolean {
  return target.type === type && sameId(target.id, id)
}

/** The record of a note that was written elsewhere, with the way to it. */
function NoteRecord({ target }: Pick<Note, 'target'>) {
  const text = target.label ?? `${target.type.replace('cardaccount', 'account')} ${shortId(target.id)}`
  const href = recordHref(useEnvironment(), target)
  return <TextLink href={href}>{text}</TextLink>
}

function NoteItem({
  note,
  answers,
  isElsewhere,
  mayWrite,
}: {
  note: Note
  answers: readonly Note[]
  /** It was written on another record than the page's own. */
  isElsewhere: boolean
  mayWrite: boolean
}) {
  const { id: noteId, text, by, at, isPinned, handover } = note
  const { isPending, problem, run } = useNoteAction()
  const [isAnswering, setIsAnswering] = useState(false)
  const answerButton = useRef<HTMLButtonElement>(null)
  const endAnswer = () => {
    setIsAnswering(false)
    const button = answerButton.current
    if (button?.closest('li')?.contains(document.activeElement)) button.focus()
  }
  return (
    <li className="min-w-0 rounded-control border px-3 py-2">
      <div className="flex min-h-6 flex-wrap items-center gap-x-2 text-xs text-soft">
        {isPinned && (
          <Badge tone="info" icon={<Pin aria-hidden="true" />}>
            Pinned
          </Badge>
        )}
        <span className="font-medium text-ink">{by.name}</span>
        <span>{roleName(by.role)}</span>
        <Time instant={at} />
        {isElsewhere && (
          <span className="min-w-0 wrap-anywhere">
            on <NoteRecord target={note.target} />
          </span>
        )}
        {mayWrite && (
          <span className="ml-auto flex">
            <IconButton
              ref={answerButton}
              size="small"
              label="Answer"
              icon={<Reply />}
              onClick={() => setIsAnswering(true)}
            />
            <IconButton
              size="small"
              label={isPinned ? 'Unpin note' : 'Pin note'}
              icon={isPinned ? <PinOff /> : <Pin />}
              isPending={isPending}
              onClick={() => void run('pinNote', { noteId, isPinned: !isPinned })}
            />
          </span>
        )}
      </div>
      <p className="mt-0.5 whitespace-pre-wrap wrap-anywhere">
        <bdi>{text}</bdi>
      </p>
      {handover && (
        <NoteHandover noteId={noteId} handover={handover} mayWrite={mayWrite} isPending={isPending} run={run} />
      )}
      {answers.length > 0 && (
        <ul className="mt-2 grid gap-2 border-l-2 pl-3">
          {answers.map((answer) => (
            <li key={answer.id} className="min-w-0">
              <span className="flex flex-wrap gap-x-2 text-xs text-soft">
                <span className="font-medium text-ink">{answer.by.name}</span>
                <Time instant={answer.at} />
              </span>
              <p className="whitespace-pre-wrap wrap-anywhere">
                <bdi>{answer.text}</bdi>
              </p>
              {answer.handover && (
                <NoteHandover
                  noteId={answer.id}
                  handover={answer.handover}
                  mayWrite={mayWrite}
                  isPending={isPending}
                  run={run}
                />
              )}
            </li>
          ))}
        </ul>
      )}
      {isAnswering && (
        <Suspense fallback={null}>
          <AnswerForm note={note} answers={answers} onDone={endAnswer} />
        </Suspense>
      )}
      {problem && (
        <p role="alert" className="mt-1 text-xs text-bad">
          {problem}
        </p>
      )}
    </li>
  )
}

/** Whom a note waits for, until when, and what the person can do about it. */
function NoteHandover({
  noteId,
  handover: { role, person, dueAt, taken, done },
  mayWrite,
  isPending,
  run,
}: {
  noteId: string
  handover: Handover
  mayWrite: boolean
} & Pick<ReturnType<typeof useNoteAction>, 'isPending' | 'run'>) {
  const { data: current } = useQuery(currentStaffQuery())
  if (done) {
    return (
      <div className="mt-1.5 flex flex-wrap items-center gap-2 text-xs">
        <Badge tone="good" icon={<Check aria-hidden="true" />}>
          Done
        </Badge>
        <span className="text-soft">
          by {done.by} <Time instant={done.at} />
        </span>
      </div>
    )
  }
  return (
    <div className="mt-1.5 flex flex-wrap items-center gap-2 text-xs">
      <Badge tone="warn">{taken ? `Taken by ${taken.by}` : `Waits for ${person ?? (role && roleNames[role])}`}</Badge>
      {dueAt && <Due at={dueAt} />}
      {mayWrite && (
        <>
          {(taken ? taken.byId !== current?.staff.id : role !== null) && (
            <Button size="small" isPending={isPending} onClick={() => void run('takeHandover', { noteId })}>
              {taken ? 'Take over' : 'Take'}
            </Button>
          )}
          <Button
            size="small"
            icon={<Check />}
            isPending={isPending}
            onClick={() => void run('finishHandover', { noteId })}
          >
            Mark done
          </Button>
        </>
      )}
    </div>
  )
}

/** When a hand-over is due; in red from then on. */
export function Due({ at }: { at: string }) {
  const isLate = useTicking((nowMs) => (Date.parse(at) <= nowMs ? 'late' : '')) === 'late'
  return (
    <span className={isLate ? 'font-medium text-bad' : 'text-soft'}>
      {isLate ? 'Was due' : 'Due'} <Time instant={at} />
    </span>
  )
}
