'use client'

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { WhenRead } from '#components/environment/when-read.tsx'
import { SelectField } from '#components/form/select-field.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { readQuery } from '#lib/queries/reads.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { ClockPanel } from './clock-panel.tsx'
import { FaultPanel, ModePanel } from './fault-panel.tsx'
import { IdentitySimulator } from './identity-simulator.tsx'
import { LabFrame } from './lab-frame.tsx'
import { SimulatorForm } from './simulator-form.tsx'
import { simulators, type Simulator, type SimulatorName } from './simulators.ts'
import { SnapshotPanel } from './snapshot-panel.tsx'
import { useLabAction } from './use-lab.tsx'

const identity = 'identity'

/** Every simulator, one at a time. */
function SimulatePanel({ environment }: { environment: Environment }) {
  const [name, setName] = useState<SimulatorName | typeof identity>('charge')
  const choices = [
    ...Object.entries<Simulator>(simulators).map(([value, { label }]) => ({ value, label })),
    { value: identity, label: 'Decide identities' },
  ]
  return (
    <Panel title="Simulate">
      <SelectField
        label="Simulator"
        className="mb-4"
        options={choices}
        value={name}
        onChange={(event) => setName(event.target.value as typeof name)}
      />
      {name === identity ? (
        <IdentitySimulator environment={environment} />
      ) : (
        <OneSimulator key={name} environment={environment} simulator={simulators[name]} />
      )}
    </Panel>
  )
}

function OneSimulator({ environment, simulator }: { environment: Environment; simulator: Simulator }) {
  const lab = useLabAction(environment)
  return <SimulatorForm environment={environment} simulator={simulator} lab={lab} />
}

/** The sandbox: its clock, faults, simulators and snapshots. */
export function LabScreen({ environment }: { environment: Environment }) {
  const details = useQuery(readQuery('readLabDetails', environment))
  return (
    <LabFrame environment={environment}>
      <WhenRead query={details} what="The sandbox" blocks={['h-72', 'h-72']} className="xl:grid-cols-2">
        {(found) => (
          <div className="grid min-w-0 items-start gap-5 xl:grid-cols-2">
            <div className="grid min-w-0 gap-5">
              <SimulatePanel environment={environment} />
              <SnapshotPanel environment={environment} details={found} />
              <ModePanel environment={environment} />
            </div>
            <div className="grid min-w-0 gap-5">
              <ClockPanel environment={environment} details={found} />
              <FaultPanel environment={environment} />
            </div>
          </div>
        )}
      </WhenRead>
    </LabFrame>
  )
}
