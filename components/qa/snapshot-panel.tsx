'use client'

import { useState } from 'react'
import { ConfirmDialog } from '#components/form/confirm-dialog.tsx'
import { TextField } from '#components/form/text-field.tsx'
import { Button } from '#components/ui/button.tsx'
import { count, formatCount } from '#components/ui/count.ts'
import { useOpened } from '#components/ui/dialog.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { Time } from '#components/ui/time.tsx'
import type { ReadResult } from '#lib/queries/reads.ts'
import { LabProblemText, useLabAction } from './use-lab.tsx'

type Question =
  | { kind: 'reset' }
  | { kind: 'restore' | 'delete'; snapshot: ReadResult<'readLabDetails'>['snapshots'][number] }

const counted: Record<string, string> = {
  cardAccounts: 'Card accounts',
  cards: 'Cards',
  transactions: 'Transactions',
  fees: 'Fees',
  payouts: 'Payouts',
  webhooks: 'Webhooks',
  events: 'Events',
  dueWork: 'Due work',
  faults: 'Faults',
}

/** Takes, restores and deletes copies of the sandbox, and resets it to the demo data. */
export function SnapshotPanel({ details }: { details: ReadResult<'readLabDetails'> }) {
  const { contents, snapshots } = details
  const [name, setName] = useState('')
  const { open, opened } = useOpened<Question>()
  const taking = useLabAction()
  const { perform, isPending, problem, clear } = useLabAction()
  const [happened, setHappened] = useState('')
  const rows = Object.entries(counted).map(([key, label]) => ({ label, value: count.format(contents[key] ?? 0) }))
  const ask = (question: Question) => {
    clear()
    open(question)
  }
  const confirm = ({ onClose, ...question }: NonNullable<typeof opened>) => {
    const close = (message: string) => () => {
      onClose()
      setHappened(message)
    }
    if (question.kind === 'reset') return perform('reset', {}, close('Sandbox reset.'))
    const { id, name: label } = question.snapshot
    if (question.kind === 'restore') perform('restore-snapshot', { id }, close(`“${label}” restored.`))
    else perform('delete-snapshot', { id }, close(`“${label}” deleted.`))
  }
  return (
    <Panel
      title="Snapshots"
      actions={
        <Button size="small" variant="danger-quiet" onClick={() => ask({ kind: 'reset' })}>
          Reset sandbox…
        </Button>
      }
    >
      <form
        className="flex flex-wrap items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          taking.perform('take-snapshot', { name }, () => {
            setName('')
            setHappened('Snapshot taken.')
          })
        }}
      >
        <TextField
          label="Name"
          className="min-w-0 flex-1 basis-48"
          value={name}
          error={taking.problem?.fields.name}
          onChange={(event) => setName(event.target.value)}
        />
        <Button type="submit" size="large" variant="primary" isPending={taking.isPending}>
          Take snapshot
        </Button>
      </form>
      <LabProblemText problem={taking.problem} fields={['name']} />
      <output className="mt-2 block text-soft empty:hidden">{happened}</output>
      {snapshots.length === 0 ? (
        <p className="mt-3 text-soft">A snapshot is a copy of the whole sandbox to return to.</p>
      ) : (
        <ul className="mt-3 divide-y border-t" aria-label="Snapshots">
          {snapshots.map((snapshot) => (
            <li key={snapshot.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2">
              <div className="min-w-0 flex-1 basis-56">
                <div className="font-medium wrap-anywhere">{snapshot.name}</div>
                <div className="text-xs text-soft">
                  {formatCount(snapshot.cardAccounts, 'account')}, {formatCount(snapshot.transactions, 'transaction')} ·
                  sandbox clock <Time instant={snapshot.now} isZoneShown />
                </div>
              </div>
              <Button size="small" onClick={() => ask({ kind: 'restore', snapshot })}>
                Restore…<span className="sr-only"> {snapshot.name}</span>
              </Button>
              <Button size="small" variant="quiet" onClick={() => ask({ kind: 'delete', snapshot })}>
                Delete…<span className="sr-only"> {snapshot.name}</span>
              </Button>
            </li>
          ))}
        </ul>
      )}
      {opened && (
        <ConfirmDialog
          isOpen={opened.isOpen}
          onClose={opened.onClose}
          isPending={isPending}
          confirmationLevel={opened.kind === 'delete' ? 'light' : 'moderate'}
          {...questionTexts(opened, contents.seededCardAccounts ?? 0)}
          rows={opened.kind === 'delete' ? [] : rows}
          cancelLabel={opened.kind === 'delete' ? 'Keep snapshot' : 'Keep sandbox'}
          onConfirm={() => confirm(opened)}
        >
          <LabProblemText problem={problem} />
        </ConfirmDialog>
      )}
    </Panel>
  )
}

function questionTexts(question: Question, seeded: number) {
  if (question.kind === 'reset') {
    return {
      title: 'Reset the sandbox?',
      consequence: `Everything below is removed and ${seeded} demo accounts are loaded. Snapshots stay.`,
      confirmLabel: 'Reset sandbox',
    }
  }
  const { name } = question.snapshot
  if (question.kind === 'restore') {
    return {
      title: `Restore “${name}”?`,
      consequence: 'Everything below is replaced by the snapshot. The sandbox clock returns, too.',
      confirmLabel: 'Restore snapshot',
    }
  }
  return {
    title: `Delete “${name}”?`,
    consequence: 'The copy is deleted. The sandbox stays as it is.',
    confirmLabel: 'Delete snapshot',
  }
}
