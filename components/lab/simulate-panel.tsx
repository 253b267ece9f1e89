'use client'

import { useState } from 'react'
import { SelectField } from '#components/form/select-field.tsx'
import { Panel } from '#components/ui/panel.tsx'
import type { Environment } from '#lib/shared/routes.ts'
import { IdentitySimulator } from './identity-simulator.tsx'
import { SimulatorForm } from './simulator-form.tsx'
import { type Simulator, type SimulatorName, simulators } from './simulators.ts'
import { useLabAction } from './use-lab.ts'

const identity = 'identity'

/** Every simulator, one at a time. */
export function SimulatePanel({ environment }: { environment: Environment }) {
  const [name, setName] = useState<SimulatorName | typeof identity>('charge')
  const choices = [
    ...Object.entries<Simulator>(simulators).map(([value, { label }]) => ({ value, label })),
    { value: identity, label: 'Decide identities' },
  ]
  return (
    <Panel title="Simulate">
      <SelectField
        label="What"
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
