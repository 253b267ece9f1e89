'use client'

import { useState } from 'react'
import { useEnvironment, useRead } from '#components/environment/use-environment.ts'
import { usePermissions } from '#components/environment/use-permissions.ts'
import { WhenRead } from '#components/environment/when-read.tsx'
import { OutcomeCallout } from '#components/operations/outcome-text.tsx'
import { useAction } from '#components/operations/use-action.ts'
import { Button } from '#components/ui/button.tsx'
import { Callout } from '#components/ui/callout.tsx'
import { lazyDialog } from '#components/ui/dialog.tsx'
import { FactList } from '#components/ui/fact-list.tsx'
import { Page } from '#components/ui/page.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { Quoted } from '#components/ui/quoted.tsx'
import { Time } from '#components/ui/time.tsx'
import { helpDeskText } from '#lib/api/help-desk-requests.ts'
import { ruleText } from '#lib/operations/approvals/policy-rules.ts'
import type { Policy, PolicyState, PolicyTerms } from '#lib/operations/approvals/types.ts'
import { environmentInSentence } from '#lib/shared/routes.ts'
import { rolesText } from './approval-labels.ts'
import { policyChanges, policyFacts } from './policy-changes.ts'
import { PolicyForm } from './policy-form.tsx'

const ActionDialog = lazyDialog(() =>
  import('#components/operations/action-dialog.tsx').then((file) => file.ActionDialog<'decidePolicy'>),
)

export function PolicyScreen() {
  const environment = useEnvironment()
  const query = useRead('readPolicy')
  return (
    <Page
      title="Policy"
      above={[{ label: 'Settings' }]}
      subtitle={`Which requests in ${environmentInSentence[environment]} need a second person`}
    >
      <WhenRead query={query} what="The policy" blocks={['h-48']}>
        {(policy) => <PolicyPanels policy={policy} />}
      </WhenRead>
    </Page>
  )
}

function PolicyPanels({ policy }: { policy: PolicyState }) {
  const { active, proposed, history, defaults } = policy
  const { may, denied } = usePermissions()
  const mayManage = may.has('policy.manage')
  /** What the open form began with. A policy that comes into force meanwhile is another one than it proposes to replace. */
  const [begun, setBegun] = useState<{ from: PolicyTerms; replaces: string | null } | null>(null)
  const why = denied('policy.manage') ?? (proposed ? 'A proposal waits.' : undefined)
  return (
    <>
      {proposed && <Proposal proposed={proposed} inForce={active ?? defaults} mayManage={mayManage} />}
      <Panel
        title="In force"
        actions={
          !begun && (
            <Button
              unavailable={why}
              reason="described"
              onClick={() => setBegun({ from: active ?? defaults, replaces: active?.id ?? null })}
            >
              Propose change…
            </Button>
          )
        }
      >
        <Rules policy={active ?? defaults} />
        {active && (
          <p className="mt-3 text-xs text-soft">
            Proposed by {active.proposedBy.name}, confirmed by {active.decidedBy?.name}{' '}
            <Time instant={active.decidedAt} isZoneShown />
          </p>
        )}
      </Panel>
      {begun && <PolicyForm {...begun} onClose={() => setBegun(null)} />}
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

function Rules({ policy }: { policy: PolicyTerms }) {
  const { rules } = policy
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
      <FactList facts={policyFacts(policy)} />
    </div>
  )
}

const pastStates = { replaced: 'Replaced', rejected: 'Rejected', withdrawn: 'Withdrawn' } as const

function Version({ version }: { version: Policy }) {
  const { state, proposedBy, proposedAt, decidedBy, comment, rules, helpDesk } = version
  return (
    <li className="py-2 first:pt-0 last:pb-0">
      <div className="flex flex-wrap justify-between gap-x-3">
        <span>{state === 'active' || state === 'proposed' ? '' : pastStates[state]}</span>
        <Time instant={proposedAt} className="text-soft" />
      </div>
      <p className="text-xs text-soft wrap-anywhere">
        {rules.length === 0 ? 'Nothing needs an approval.' : rules.map(ruleText).join(' ')} {helpDeskText(helpDesk)}
      </p>
      <p className="text-xs text-faint wrap-anywhere">
        {proposedBy.name}: <Quoted>{comment}</Quoted>
        {decidedBy && ` · decided by ${decidedBy.name}`}
      </p>
    </li>
  )
}

function Proposal({
  proposed,
  inForce,
  mayManage,
}: {
  proposed: NonNullable<PolicyState['proposed']>
  inForce: PolicyTerms
  mayManage: boolean
}) {
  const { isPending, problem, run } = useAction()
  const [isConfirming, setIsConfirming] = useState(false)
  const { id, isOwn, confirmers, proposedBy, proposedAt, comment } = proposed
  const decide = (decision: 'reject' | 'withdraw') => void run('decidePolicy', { policyId: id, decision })
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
          <Button isPending={isPending} onClick={() => decide('withdraw')}>
            Withdraw proposal
          </Button>
        ) : (
          <>
            <Button isPending={isPending} onClick={() => decide('reject')}>
              Reject proposal
            </Button>
            <Button variant="primary" aria-haspopup="dialog" onClick={() => setIsConfirming(true)}>
              Confirm policy…
            </Button>
          </>
        ))
      }
    >
      <div className="grid gap-3">
        {problem && <OutcomeCallout outcome={problem} />}
        <Callout tone="info" title="Not in force yet.">
          {mayManage && !isOwn ? 'You can confirm it.' : `${others} (${rolesText(confirmers)}).`}
        </Callout>
        <p>
          <Quoted>{comment}</Quoted>
        </p>
        <Rules policy={proposed} />
      </div>
      <ActionDialog
        isOpen={isConfirming}
        onClose={() => setIsConfirming(false)}
        confirmationLevel="light"
        title="Confirm this policy?"
        consequence="It is in force at once, for every new request."
        rows={policyChanges(inForce, proposed)}
        confirmLabel="Confirm policy"
        cancelLabel="Don’t confirm"
        action="decidePolicy"
        input={{ policyId: id, decision: 'confirm' }}
        done="Policy confirmed"
      />
    </Panel>
  )
}
