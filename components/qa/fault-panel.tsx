'use client'

import { X } from 'lucide-react'
import { useMemo } from 'react'
import { useRead } from '#components/environment/use-environment.ts'
import { Button } from '#components/ui/button.tsx'
import { IconButton } from '#components/ui/icon-button.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { effectText, faultForm, timesText } from './faults.ts'
import { useLabState } from './sandbox-state.tsx'
import { SimulatorForm } from './simulator-form.tsx'
import { LabProblemText, useLabAction } from './use-lab.tsx'

/** The armed faults, and the form that arms one. */
export function FaultPanel() {
  const { data } = useLabState()
  const { data: endpoints } = useRead('readFaultEndpoints')
  const { perform, isPending, problem } = useLabAction()
  const arming = useLabAction()
  const form = useMemo(() => faultForm(endpoints ?? []), [endpoints])
  const faults = data?.faults ?? []
  return (
    <div id="faults" className="min-w-0 scroll-mt-20">
      <Panel
        title="Faults"
        className="@container"
        actions={
          faults.length > 1 && (
            <Button size="small" isPending={isPending} onClick={() => perform('remove-fault', {}, arming.clear)}>
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
                  onClick={() => perform('remove-fault', { id: fault.id }, arming.clear)}
                />
              </li>
            ))}
          </ul>
        )}
        <LabProblemText problem={problem} />
        <SimulatorForm simulator={form} lab={arming} />
      </Panel>
    </div>
  )
}
