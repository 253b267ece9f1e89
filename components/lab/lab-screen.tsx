'use client'

import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useEnvironment, useLab, useRead } from '#components/environment/use-environment.ts'
import { WhenRead } from '#components/environment/when-read.tsx'
import { SelectField } from '#components/form/select-field.tsx'
import { TextField } from '#components/form/text-field.tsx'
import { Button } from '#components/ui/button.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { TextLink } from '#components/ui/text-link.tsx'
import { performLabAction } from '#lib/actions/lab.ts'
import { simulateIdentity } from '#lib/actions/operations.ts'
import { rejectionReasons } from '#lib/contract/individual-rules.ts'
import { routes } from '#lib/shared/routes.ts'
import { ClockPanel } from './clock-panel.tsx'
import { FaultPanel, ModePanel } from './fault-panel.tsx'
import { LabFrame } from './lab-frame.tsx'
import { AccountsPicker, type ChosenAccount } from './pickers.tsx'
import { WebhookPanel } from './sandbox-webhooks.tsx'
import { SimulatorForm } from './simulator-form.tsx'
import { simulators, type Simulator, type SimulatorName } from './simulators.ts'
import { SnapshotPanel } from './snapshot-panel.tsx'
import { useLabAction } from './use-lab.tsx'
import { useSandbox } from './use-sandbox.ts'

const identity = 'identity'

/** The form of the simulator that was chosen. */
function SimulatePanel() {
  const [name, setName] = useState<SimulatorName | typeof identity>('charge')
  const lab = useLab()
  const choices = [
    ...Object.entries<Simulator>(simulators)
      .filter(([, { isBuiltIn }]) => lab === 'built-in' || !isBuiltIn)
      .map(([value, { label }]) => ({ value, label })),
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
      {name === identity ? <IdentitySimulator /> : <OneSimulator key={name} simulator={simulators[name]} />}
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
                {Object.values<Simulator>(simulators)
                  .filter(({ isBuiltIn }) => isBuiltIn)
                  .map(({ label }) => (
                    <li key={label}>{label}</li>
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
  const { sandbox } = useSandbox()
  const details = useRead('readLabDetails', ...(sandbox === null ? [] : [{ sandbox }]))
  return (
    <LabFrame>
      <WhenRead query={details} what="The sandbox" blocks={['h-72', 'h-72']} className="xl:grid-cols-2">
        {(found) => (
          <div className="grid min-w-0 items-start gap-5 xl:grid-cols-2">
            <div className="grid min-w-0 gap-5">
              <SimulatePanel />
              <SnapshotPanel details={found} />
              <ModePanel />
              {sandbox !== null && <WebhookPanel />}
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

const approve = 'approve'

const reject = 'reject'

type Line = ChosenAccount & { text: string }

/** Approves or rejects the identities of one or many accounts, one after the other. */
function IdentitySimulator() {
  const environment = useEnvironment()
  const { sandbox, search } = useSandbox()
  const client = useQueryClient()
  const [accounts, setAccounts] = useState<readonly ChosenAccount[]>([])
  const [decision, setDecision] = useState<string>(approve)
  const [info, setInfo] = useState('')
  const [lines, setLines] = useState<Line[]>([])
  const [isPending, setIsPending] = useState(false)
  const takesReason = useLab() === 'built-in'

  async function run(event: FormEvent) {
    event.preventDefault()
    if (isPending || accounts.length === 0) return
    setIsPending(true)
    setLines([])
    for (const account of accounts) {
      const line = { ...account, text: await decide(account.id).catch(() => 'Carddesk didn’t respond.') }
      setLines((before) => [...before, line])
    }
    setIsPending(false)
    await client.invalidateQueries({ queryKey: [environment] })
  }

  async function decide(cardAccountId: string): Promise<string> {
    const rejectedReason = rejectionReasons.find((reason) => reason === decision)
    const decided = decision === approve ? 'approve' : 'reject'
    const reason = {
      ...(rejectedReason ? { rejectedReason } : {}),
      ...(rejectedReason && info.trim() !== '' ? { rejectionAdditionalInfo: info } : {}),
    }
    if (sandbox !== null) {
      const given = { cardAccountId, action: decided, ...reason }
      const own = await performLabAction({ environment, ...search, action: 'decide-identity', given })
      if (own.kind === 'invalid') return Object.values(own.fields).join(' ')
      return own.kind === 'done' ? (rejectedReason ? 'Rejected.' : 'Approved.') : own.outcome.happened
    }
    const result = await simulateIdentity({
      environment,
      operationId: crypto.randomUUID(),
      cardAccountId,
      decision: decided,
      ...reason,
    })
    if (result.kind === 'invalid') return Object.values(result.fields).join(' ')
    return result.kind === 'settled' ? result.operation.outcome.happened : result.outcome.happened
  }

  return (
    <form className="grid gap-3" onSubmit={(event) => void run(event)}>
      <AccountsPicker label="Card accounts" accounts={accounts} onChange={setAccounts} />
      <SelectField
        label="Decision"
        options={[
          { value: approve, label: 'Approve' },
          // The interface's simulator takes no reason.
          ...(takesReason
            ? rejectionReasons.map((reason) => ({ value: reason, label: `Reject: ${reason}` }))
            : [{ value: reject, label: 'Reject' }]),
        ]}
        value={decision}
        onChange={(event) => setDecision(event.target.value)}
      />
      {takesReason && decision !== approve && (
        <TextField label="Additional info" isOptional value={info} onChange={(event) => setInfo(event.target.value)} />
      )}
      <div>
        <Button
          type="submit"
          variant="primary"
          isPending={isPending}
          {...(accounts.length === 0 ? { unavailable: 'Select an account first.' } : {})}
        >
          {decision === approve ? 'Approve' : 'Reject'}{' '}
          {accounts.length === 1 ? 'identity' : `${accounts.length} identities`}
        </Button>
      </div>
      <output className="empty:hidden">
        {lines.length > 0 && (
          <ul className="divide-y rounded-panel border">
            {lines.map(({ id, label, text: happened }) => (
              <li key={id} className="flex flex-wrap justify-between gap-x-3 px-3 py-2">
                {sandbox === null ? <TextLink href={routes.identityCase(environment, id)}>{label}</TextLink> : label}
                <span className="text-soft">{happened}</span>
              </li>
            ))}
          </ul>
        )}
      </output>
    </form>
  )
}
