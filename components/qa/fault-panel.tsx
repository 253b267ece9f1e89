'use client'

import { X } from 'lucide-react'
import { SelectField } from '#components/form/select-field.tsx'
import { Button } from '#components/ui/button.tsx'
import { IconButton } from '#components/ui/icon-button.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { modeValues } from '#lib/contract/sandbox.ts'
import { effectText, FaultForm, timesText } from './fault-form.tsx'
import { changedModes, useLabState } from './sandbox-state.tsx'
import { ProblemText, useLabAction } from './use-lab.tsx'

/** The armed faults, and the form that arms one. */
export function FaultPanel() {
  const { data } = useLabState()
  const { perform, isPending, problem } = useLabAction()
  const faults = data?.faults ?? []
  return (
    <div id="faults" className="min-w-0 scroll-mt-20">
      <Panel
        title="Faults"
        className="@container"
        actions={
          faults.length > 1 && (
            <Button size="small" isPending={isPending} onClick={() => perform('remove-fault', {})}>
              Remove {faults.length} faults
            </Button>
          )
        }
      >
        {faults.length > 0 && (
          <ul className="mb-4 divide-y rounded-panel border" aria-label="Armed faults">
            {faults.map((fault) => (
              <li key={fault.id} className="flex items-center gap-3 px-3 py-2">
                <div className="min-w-0 flex-1">
                  <div className="font-mono text-xs wrap-anywhere">
                    {fault.method} {fault.path === '*' ? 'Every endpoint' : fault.path}
                  </div>
                  <div className="text-soft wrap-anywhere">
                    {effectText(fault)} · {timesText(fault.times)}
                  </div>
                </div>
                <IconButton
                  label={`Remove fault ${fault.id}`}
                  icon={<X />}
                  onClick={() => perform('remove-fault', { id: fault.id })}
                />
              </li>
            ))}
          </ul>
        )}
        <ProblemText problem={problem} />
        <FaultForm />
      </Panel>
    </div>
  )
}

const modes = {
  ignoreIdempotencyKeys: {
    label: 'Idempotency keys',
    values: { false: 'Honoured', header: 'Header ignored', true: 'Ignored' },
  },
  replay: {
    label: 'Repeated request',
    values: { marked: 'Stored response, marked', unmarked: 'Stored response, unmarked', refused: 'Refused (409)' },
  },
  idForm: {
    label: 'IDs',
    values: { uuid: 'UUID', 'upper-case': 'Upper case', prefixed: 'With id_ prefix', 'in-braces': 'In braces' },
  },
} as const satisfies Record<keyof typeof modeValues, { label: string; values: Record<string, string> }>

export function ModePanel() {
  const { data } = useLabState()
  const { perform, isPending, problem } = useLabAction()
  const current: Record<string, unknown> = data?.modes ?? {}
  const changed = changedModes(current)
  return (
    <Panel
      title="Modes"
      className="@container"
      actions={
        changed.length > 0 && (
          <Button size="small" isPending={isPending} onClick={() => perform('reset-modes', {})}>
            Reset modes
          </Button>
        )
      }
    >
      <div className="grid gap-3 @lg:grid-cols-3">
        {Object.entries(modes).map(([name, { label, values }]) => {
          const all: readonly (string | boolean)[] = modeValues[name as keyof typeof modeValues]
          return (
            <SelectField
              key={name}
              label={label}
              options={Object.entries(values).map(([value, text]) => ({ value, label: text }))}
              value={String(current[name] ?? all[0])}
              onChange={(event) => {
                const chosen = all.find((value) => String(value) === event.target.value)
                if (chosen !== undefined) perform('set-modes', { [name]: chosen })
              }}
            />
          )
        })}
      </div>
      <ProblemText problem={problem} />
    </Panel>
  )
}
