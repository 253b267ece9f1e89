'use client'

import { CircleCheck, CircleX, FileText, type LucideIcon, Send, WalletCards } from 'lucide-react'
import { accountTitle, identityEntry } from '#components/card-accounts/account-labels.ts'
import { IdentityBadge } from '#components/card-accounts/identity-badge.tsx'
import { RecordSubtitle } from '#components/environment/record-subtitle.tsx'
import { useEnvironment, useRead } from '#components/environment/use-environment.ts'
import { usePermissions } from '#components/environment/use-permissions.ts'
import { WhenRead } from '#components/environment/when-read.tsx'
import { NotesPanel } from '#components/notes/notes-panel.tsx'
import { OtherFields } from '#components/references/other-fields.tsx'
import { ButtonLink } from '#components/ui/button-link.tsx'
import { codeLabel } from '#components/ui/code-entry.ts'
import { type Fact, FactList } from '#components/ui/fact-list.tsx'
import { Page } from '#components/ui/page.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { TextLink } from '#components/ui/text-link.tsx'
import { dateText } from '#components/ui/time-format.ts'
import { Timeline } from '#components/ui/timeline.tsx'
import type { Tone } from '#components/ui/tone.ts'
import type { IdentityCase, IdentityStep } from '#lib/console/identity/types.ts'
import { countryLabel } from '#lib/contract/country-names.ts'
import { occupations, positions } from '#lib/contract/occupations.ts'
import type { ClientIdentity } from '#lib/contract/records.ts'
import { routes } from '#lib/shared/routes.ts'
import { groupedPhone } from '../card-accounts/phones.ts'
import { CardholderMessages } from './cardholder-message.tsx'
import { IdentityActions } from './identity-actions.tsx'
import { documentLabels, genderLabels, supportingLabels } from './individual-labels.ts'
import { reasonEntry } from './rejection-reasons.ts'

export function IdentityCaseScreen({ cardAccountId }: { cardAccountId: string }) {
  const found = useRead('readIdentityCase', cardAccountId)
  return (
    <WhenRead
      query={found}
      what="The identity"
      blocks={['h-7 w-64 lg:col-span-full', 'h-72', 'h-96']}
      className="lg:grid-cols-[minmax(0,3fr)_minmax(18rem,2fr)]"
    >
      {(data) => <CasePage data={data} />}
    </WhenRead>
  )
}

function CasePage({ data }: { data: IdentityCase }) {
  const environment = useEnvironment()
  const { account, identity, history, freshness } = data
  const { may } = usePermissions()
  const title = accountTitle(account)
  return (
    <Page
      title={title}
      badge={<IdentityBadge status={identity.status} prefix="Identity" />}
      above={[{ label: 'Identity', href: routes.identity(environment) }]}
      actions={
        <>
          <ButtonLink href={routes.cardAccount(environment, account.id)} icon={<WalletCards />}>
            Card account
          </ButtonLink>
          <IdentityActions found={data} />
        </>
      }
      subtitle={<RecordSubtitle noun="account" id={account.id} xid={account.xid} freshness={freshness} />}
    >
      <div className="grid min-w-0 items-start gap-5 lg:grid-cols-[minmax(0,3fr)_minmax(18rem,2fr)]">
        <div className="grid min-w-0 gap-5">
          <Decision account={account} identity={identity} />
          <History steps={history} seesInbox={may.has('webhooks.read')} />
        </div>
        <div className="grid min-w-0 gap-5">
          <Individual individual={identity.individual} isStored={freshness.source === 'index'} />
          <NotesPanel target={{ type: 'cardaccount', id: account.id }} />
        </div>
      </div>
    </Page>
  )
}

/** The decision, its meaning and what to request from the cardholder. */
function Decision({ account, identity }: Pick<IdentityCase, 'account' | 'identity'>) {
  const { status, rejectedReason, rejectionAdditionalInfo } = identity
  const entry = reasonEntry(rejectedReason)
  if (status !== 'rejected') {
    return (
      <Panel title="Decision">
        <p className="text-soft">{identityEntry(status).meaning}</p>
      </Panel>
    )
  }
  return (
    <>
      <Panel title="Rejection">
        <FactList
          facts={[
            { label: 'Reason', value: rejectedReason && <span className="font-medium">{rejectedReason}</span> },
            entry && { label: 'Meaning', value: entry.meaning },
            entry && { label: 'Ask for', value: entry.document },
            { label: 'Additional information', value: rejectionAdditionalInfo },
          ]}
        />
        {!entry && rejectedReason && (
          <p className="mt-3 text-xs text-faint">There is no guidance for this reason. It is shown as sent.</p>
        )}
      </Panel>
      {entry && (
        <Panel title="Message to the cardholder">
          <CardholderMessages
            english={entry.english}
            chinese={entry.chinese}
            reach={{ phone: account.phoneNumber, email: identity.individual?.email }}
          />
        </Panel>
      )}
    </>
  )
}

/** The name of a code; one that this version does not know is shown as sent. */
function findName(list: readonly { code: string; name: string }[], code: string | null): string | null {
  return list.find((one) => one.code === code)?.name ?? code
}

/** Whether the service, or the person's role, leaves letters or digits out. */
function isMasked(individual: NonNullable<ClientIdentity['individual']>): boolean {
  return /[*•]/.test(JSON.stringify(individual))
}

function Individual({ individual, isStored }: { individual: ClientIdentity['individual']; isStored: boolean }) {
  if (individual === null) {
    return (
      <Panel title="Individual">
        <p className="text-soft">
          {isStored
            ? 'Not stored here. It shows when the card service responds.'
            : 'Not provided. Accounts of companies have no individual.'}
        </p>
      </Panel>
    )
  }
  const { document, supportingDocuments } = individual
  const facts: Fact[] = [
    { label: 'First name', value: individual.firstName },
    { label: 'Last name', value: individual.lastName },
    { label: 'Date of birth', value: dateText(individual.dateOfBirth) },
    { label: 'Gender', value: codeLabel(genderLabels, individual.gender) },
    { label: 'Nationality', value: individual.nationality && countryLabel(individual.nationality) },
    { label: 'Mobile', value: individual.mobile && groupedPhone(individual.mobile) },
    { label: 'Email', value: individual.email },
    { label: 'Address', value: individual.address },
    { label: 'Occupation', value: findName(occupations, individual.occupation) },
    { label: 'Position', value: findName(positions, individual.position) },
  ]
  const documentFacts: Fact[] = [
    { label: 'Type', value: codeLabel(documentLabels, document?.type) },
    { label: 'Number', value: document?.number },
    { label: 'Country', value: document?.country && countryLabel(document.country) },
    { label: 'Expires', value: dateText(document?.expiryDate) },
    {
      label: 'Supporting documents',
      value:
        supportingDocuments &&
        (supportingDocuments.map(({ documentType }) => codeLabel(supportingLabels, documentType)).join(', ') || 'None'),
    },
  ]
  return (
    <Panel title="Individual" note={isMasked(individual) && 'Masked'}>
      <FactList facts={facts} />
      <h3 className="mt-3 mb-1.5 border-t pt-3 font-medium">Identity document</h3>
      <FactList facts={documentFacts} />
      <OtherFields fields={individual.otherFields} />
    </Panel>
  )
}

const steps: Record<IdentityStep['kind'], { title: string; icon: LucideIcon; tone: Tone }> = {
  submitted: { title: 'Submitted', icon: FileText, tone: 'neutral' },
  resubmitted: { title: 'Resubmitted', icon: Send, tone: 'neutral' },
  approved: { title: 'Approved', icon: CircleCheck, tone: 'good' },
  rejected: { title: 'Rejected', icon: CircleX, tone: 'bad' },
}

function History({ steps: history, seesInbox }: { steps: readonly IdentityStep[]; seesInbox: boolean }) {
  return (
    <Panel title="What happened">
      <Timeline
        lines={history.toReversed().map((step) => ({
          ...steps[step.kind],
          key: `${step.kind} ${step.at} ${step.event?.id}`,
          at: step.at,
          detail: (
            <>
              {step.rejectedReason && <p className="text-ink">{step.rejectedReason}</p>}
              <Source step={step} seesInbox={seesInbox} />
            </>
          ),
        }))}
      />
    </Panel>
  )
}

function Source({ step, seesInbox }: { step: IdentityStep; seesInbox: boolean }) {
  const environment = useEnvironment()
  const { source, event, by } = step
  if (event) {
    return (
      <p>
        Event{' '}
        {seesInbox ? (
          <TextLink href={routes.inbox(environment, { open: event.id })}>{event.name}</TextLink>
        ) : (
          event.name
        )}
      </p>
    )
  }
  if (source === 'operation') return <p>By {by}</p>
  return source === 'record' ? null : <p>Inferred from the status: no event was received.</p>
}
