'use client'

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { usePermissions } from '#components/environment/use-permissions.ts'
import { WhenRead } from '#components/environment/when-read.tsx'
import { lostResponse, OutcomeCallout } from '#components/operations/outcome-text.tsx'
import { withStepUp } from '#components/operations/with-step-up.ts'
import { Button } from '#components/ui/button.tsx'
import { Callout } from '#components/ui/callout.tsx'
import { FactList } from '#components/ui/fact-list.tsx'
import { PageHeader } from '#components/ui/page-header.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { Time } from '#components/ui/time.tsx'
import { decidePolicy } from '#lib/actions/console.ts'
import type { Policy, PolicyState } from '#lib/console/approvals/shapes.ts'
import { ruleText } from '#lib/console/desk/approvals/policy-rules.ts'
import { onlyRoles, roleNames, type Role } from '#lib/console/desk/permissions.ts'
import type { Outcome } from '#lib/console/desk/shapes.ts'
import { readQuery } from '#lib/queries/reads.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { PolicyForm } from './policy-form.tsx'

export function PolicyScreen({ environment }: { environment: Environment }) {
  const query = useQuery(readQuery('readPolicy', environment))
  return (
    <div className="grid min-w-0 gap-5">
      <PageHeader
        title="Policy"
        breadcrumbs={[{ label: 'Settings' }, { label: 'Policy' }]}
        subtitle={`Which requests in ${environment} need a second person`}
      />
      <WhenRead query={query} what="The policy" blocks={['h-48']}>
        {(policy) => <PolicyPanels environment={environment} policy={policy} />}
      </WhenRead>
    </div>
  )
}

function PolicyPanels({ environment, policy }: { environment: Environment; policy: PolicyState }) {
  const { active, proposed, history, defaults } = policy
  const mayManage = usePermissions(environment).may.has('policy.manage')
  const [isEditing, setIsEditing] = useState(false)
  const why = mayManage ? (proposed ? 'A proposal waits.' : undefined) : onlyRoles('policy.manage')
  return (
    <>
      {proposed && <Proposal environment={environment} proposed={proposed} mayManage={mayManage} />}
      <Panel
        title="In force"
        actions={
          !isEditing && (
            <Button unavailable={why} reason="described" onClick={() => setIsEditing(true)}>
              Propose change…
            </Button>
          )
        }
      >
        <Rules policy={active ?? defaults} />
        {active && (
          <p className="mt-3 text-xs text-soft">
            Proposed by {active.proposedBy.name}, confirmed by {active.decidedBy?.name}{' '}
            <Time instant={active.decidedAt} format="date-time" isZoneShown />
          </p>
        )}
      </Panel>
      {isEditing && (
        <PolicyForm
          environment={environment}
          from={active ?? defaults}
          replaces={active?.id ?? null}
          onClose={() => setIsEditing(false)}
        />
      )}
      {history.length > 0 && (
        <Panel title="Earlier versions">
          <ul className="divide-y">
            {history.map((version) => (
              <Version key={version.id} version={version} />
            ))}
          </ul>
        </Panel>
      )}
    </>
  )
}

function Rules({ policy }: { policy: Pick<Policy, 'rules' | 'expiryHours' | 'tolerancePercent'> }) {
  const { rules, expiryHours, tolerancePercent } = policy
  return (
    <div className="grid gap-3">
      {rules.length === 0 ? (
        <p>Nothing needs an approval.</p>
      ) : (
        <ul className="list-disc pl-5">
          {rules.map((rule) => (
            <li key={ruleText(rule)}>{ruleText(rule)}</li>
          ))}
        </ul>
      )}
      <FactList
        facts={[
          { label: 'A request expires after', value: `${expiryHours} h` },
          { label: 'An expired quote may cost more by', value: `${tolerancePercent} %` },
        ]}
      />
    </div>
  )
}

const pastStates = { replaced: 'Replaced', rejected: 'Rejected', withdrawn: 'Withdrawn' } as const

function Version({ version }: { version: Policy }) {
  const { state, proposedBy, proposedAt, decidedBy, comment, rules } = version
  return (
    <li className="py-2 first:pt-0 last:pb-0">
      <div className="flex flex-wrap justify-between gap-x-3">
        <span>{state === 'active' || state === 'proposed' ? '' : pastStates[state]}</span>
        <Time instant={proposedAt} className="text-soft" />
      </div>
      <p className="text-xs text-soft wrap-anywhere">
        {rules.length === 0 ? 'Nothing needs an approval.' : rules.map(ruleText).join(' ')}
      </p>
      <p className="text-xs text-faint wrap-anywhere">
        {proposedBy.name}: “{comment}”{decidedBy && ` · decided by ${decidedBy.name}`}
      </p>
    </li>
  )
}

function Proposal({
  environment,
  proposed,
  mayManage,
}: {
  environment: Environment
  proposed: NonNullable<PolicyState['proposed']>
  mayManage: boolean
}) {
  const client = useQueryClient()
  const [pending, setPending] = useState<string | null>(null)
  const [problem, setProblem] = useState<Outcome | null>(null)
  const { id, isOwn, confirmers, proposedBy, proposedAt, comment } = proposed

  async function decide(decision: 'confirm' | 'reject' | 'withdraw') {
    setPending(decision)
    setProblem(null)
    const input = { environment, policyId: id, decision }
    const result = await withStepUp(() => decidePolicy(input)).catch(() => null)
    setPending(null)
    if (result?.kind === 'settled') return client.invalidateQueries({ queryKey: [environment, 'policy'] })
    setProblem(result?.kind === 'refused' ? result.outcome : lostResponse)
    return undefined
  }

  const roles = confirmers.roles.map((role) => roleNames[role as Role]).join(' or ')
  const others =
    confirmers.count === 0
      ? 'No other person can confirm it yet'
      : confirmers.count === 1
        ? '1 other person can confirm it'
        : `${confirmers.count} others can confirm it`
  return (
    <Panel
      title="Proposed"
      note={
        <>
          by {proposedBy.name} <Time instant={proposedAt} />
        </>
      }
      actions={
        mayManage &&
        (isOwn ? (
          <Button isPending={pending === 'withdraw'} onClick={() => void decide('withdraw')}>
            Withdraw proposal
          </Button>
        ) : (
          <>
            <Button isPending={pending === 'reject'} onClick={() => void decide('reject')}>
              Reject proposal
            </Button>
            <Button variant="primary" isPending={pending === 'confirm'} onClick={() => void decide('confirm')}>
              Confirm policy
            </Button>
          </>
        ))
      }
    >
      <div className="grid gap-3">
        {problem && <OutcomeCallout outcome={problem} />}
        <Callout tone="info" title="Not in force yet.">
          {others} ({roles}).
        </Callout>
        <p className="wrap-anywhere">“{comment}”</p>
        <Rules policy={proposed} />
      </div>
    </Panel>
  )
}
