'use client'

import { type FormEvent, useState } from 'react'
import { SelectField } from '#components/form/select-field.tsx'
import { Button } from '#components/ui/button.tsx'
import { Dialog, type DialogProps } from '#components/ui/dialog.tsx'
import { LabProblemText, useLabAction } from './use-lab.tsx'

const lifetimes = [
  { value: 'PT1H', label: '1 hour' },
  { value: 'PT4H', label: '4 hours' },
  { value: 'PT24H', label: '24 hours' },
]

/** Makes a sandbox of its own. `onMade` gets its id. */
export function NewSandboxDialog({
  snapshots,
  onMade,
  ...dialog
}: DialogProps & { snapshots: readonly { id: string; name: string }[]; onMade: (id: string) => void }) {
  const { perform, isPending, problem } = useLabAction()
  const [from, setFrom] = useState('seed')
  const [ttl, setTtl] = useState('PT1H')
  const make = (event: FormEvent) => {
    event.preventDefault()
    perform('make-sandbox', { from, ttl }, ({ sandboxId }) => {
      dialog.onClose()
      if (sandboxId !== null) onMade(sandboxId)
    })
  }
  return (
    <Dialog
      {...dialog}
      title="Make a sandbox?"
      description="It has a clock, faults, modes, webhooks and records of its own. Saved in the audit log."
    >
      <form data-work="none" className="grid gap-4" onSubmit={make}>
        <SelectField
          label="Starts with"
          options={[
            { value: 'seed', label: 'Demo data' },
            ...snapshots.map(({ id, name }) => ({ value: id, label: `Snapshot “${name}”` })),
          ]}
          value={from}
          onChange={({ target }) => setFrom(target.value)}
        />
        <SelectField
          label="Ends after"
          options={lifetimes}
          value={ttl}
          onChange={({ target }) => setTtl(target.value)}
        />
        <div>
          <Button type="submit" variant="primary" isPending={isPending}>
            Make sandbox
          </Button>
        </div>
        <LabProblemText problem={problem} />
      </form>
    </Dialog>
  )
}
