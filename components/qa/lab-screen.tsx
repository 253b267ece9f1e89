'use client'

import { useState } from 'react'
import { useLab, useRead } from '#components/environment/use-environment.ts'
import { WhenRead } from '#components/environment/when-read.tsx'
import { SelectField } from '#components/form/select-field.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { ClockPanel } from './clock-panel.tsx'
import { FaultPanel } from './fault-panel.tsx'
import { interfaceSimulators } from './interface-simulators.ts'
import { LabFrame } from './lab-frame.tsx'
import { SandboxWebhooks } from './sandbox-webhooks.tsx'
import { SimulatorForm } from './simulator-form.tsx'
import { type Simulator, simulatorNames, type SimulatorName, simulators } from './simulators.ts'
import { SnapshotPanel } from './snapshot-panel.tsx'
import { useLabAction } from './use-lab.tsx'
import { useSandbox } from './use-sandbox.ts'

/** The form of the simulator that was chosen. */
function SimulatePanel() {
  const [name, setName] = useState<SimulatorName>('charge')
  const lab = useLab()
  const choices = simulatorNames
    .filter((name) => lab === 'built-in' || interfaceSimulators.includes(name))
    .map((value) => ({ value, label: simulators[value].label }))
  return (
    <Panel title="Simulate">
      <SelectField
        label="Simulator"
        className="mb-4"
        options={choices}
        value={name}
        onChange={(event) => setName(event.target.value as SimulatorName)}
      />
      <OneSimulator key={name} simulator={simulators[name]} />
    </Panel>
  )
}

function OneSimulator({ simulator }: { simulator: Simulator }) {
  const lab = useLabAction()
  return <SimulatorForm simulator={simulator} lab={lab} />
}

/** The lab: all of it beside the built-in service, the interface's simulators beside another sandbox. */
export function LabScreen() {
  return useLab() === 'interface' ? <InterfaceLab /> : <WholeLab />
}

/** The simulators that the interface has, and what only the built-in sandbox can do. */
function InterfaceLab() {
  const explorer = useRead('readExplorer')
  return (
    <LabFrame>
      <WhenRead query={explorer} what="The sandbox" blocks={['h-72', 'h-72']} className="xl:grid-cols-2">
        {({ baseUrl }) => (
          <div className="grid min-w-0 items-start gap-5 xl:grid-cols-2">
            <SimulatePanel />
            <Panel title="Not in this sandbox">
              <p>
                The interface has no calls for these. Only Carddesk’s built-in sandbox does them, and this one is{' '}
                <span className="font-mono text-[0.92em] break-all">{baseUrl}</span>:
              </p>
              <ul className="mt-2 list-disc pl-5 text-soft">
                {simulatorNames
                  .filter((name) => !interfaceSimulators.includes(name))
                  .map((name) => (
                    <li key={name}>{simulators[name].label}</li>
                  ))}
                <li>Reverse a part</li>
                <li>Decline for a chosen reason, name the merchant</li>
                <li>Reject an identity for a chosen reason</li>
                <li>Move the clock, arm faults, take snapshots, run scenarios</li>
              </ul>
            </Panel>
          </div>
        )}
      </WhenRead>
    </LabFrame>
  )
}

/** The built-in sandbox: its clock, faults, simulators and snapshots. */
function WholeLab() {
  const { sandbox, searches } = useSandbox()
  const details = useRead('readLabDetails', ...searches)
  return (
    <LabFrame>
      <WhenRead query={details} what="The sandbox" blocks={['h-72', 'h-72']} className="xl:grid-cols-2">
        {(found) => (
          <div className="grid min-w-0 items-start gap-5 xl:grid-cols-2">
            <div className="grid min-w-0 gap-5">
              <SimulatePanel />
              <SnapshotPanel details={found} />
              {sandbox !== null && <SandboxWebhooks />}
            </div>
            <div className="grid min-w-0 gap-5">
              <ClockPanel details={found} />
              <FaultPanel />
            </div>
          </div>
        )}
      </WhenRead>
    </LabFrame>
  )
}
