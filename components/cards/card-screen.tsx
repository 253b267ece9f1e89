'use client'

import { memo } from 'react'
import { WaitingChanges } from '#components/approvals/waiting-changes.tsx'
import { AuditEntryLink } from '#components/audit/audit-trail-link.tsx'
import { accountTitle } from '#components/card-accounts/account-labels.ts'
import { EmbedButton } from '#components/embed/embed-button.tsx'
import { RecordSubtitle } from '#components/environment/record-subtitle.tsx'
import { useEnvironment, useRead } from '#components/environment/use-environment.ts'
import { usePermissions } from '#components/environment/use-permissions.ts'
import { WhenRead } from '#components/environment/when-read.tsx'
import { usePaletteCommands } from '#components/layout/commands.tsx'
import { NotesPanel } from '#components/notes/notes-panel.tsx'
import { SimulateMenu } from '#components/qa/simulate-menu.tsx'
import { CardTransactions } from '#components/transactions/card-transactions.tsx'
import { CodeBadge, PageStatus } from '#components/ui/badge.tsx'
import { ButtonLink } from '#components/ui/button-link.tsx'
import { Callout } from '#components/ui/callout.tsx'
import { Disclosure } from '#components/ui/disclosure.tsx'
import { Page } from '#components/ui/page.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { StatusRail } from '#components/ui/status-rail.tsx'
import { TextLink } from '#components/ui/text-link.tsx'
import { Time } from '#components/ui/time.tsx'
import { findOperationDefinition } from '#lib/api/actions.ts'
import type { CardDetail, CardHistory, CardRailStop, LinkedCard } from '#lib/console/cards/types.ts'
import { cardStatuses } from '#lib/contract/terms.ts'
import { statedReason } from '#lib/shared/reasons.ts'
import { routes } from '#lib/shared/routes.ts'
import { withCapital } from '#lib/shared/texts.ts'
import { CancellationWaiting } from './cancellation-waiting.tsx'
import { CardActionButtons } from './card-action-buttons.tsx'
import type { OfferedDeed } from './card-action-table.ts'
import { CardFace, cardTitle } from './card-face.tsx'
import { CardFacts } from './card-facts.tsx'
import { CardLimitsPanel } from './card-limits.tsx'
import { cardStatusEntry, unsuspendConsequence, lockAndSuspend, replacedText } from './card-status.ts'
import { declinedFilters } from './card-usage.ts'
import { useReplaceCard } from './issue-card-button.tsx'
import { RevealButton, useRevealCard } from './reveal-card.tsx'
import { useActionParam, useCardActions } from './use-card-actions.tsx'
import { WhatHappened } from './what-happened.tsx'

export function CardScreen({ cardAccountId, cardId }: { cardAccountId: string; cardId: string }) {
  const card = useRead('readCard', cardAccountId, cardId)
  return (
    <WhenRead
      query={card}
      what="The card"
      blocks={['h-7 w-64 lg:col-span-full', 'aspect-[856/540] max-w-80', 'h-52', 'h-72 lg:col-span-full']}
      className="lg:grid-cols-[20rem_minmax(0,1fr)]"
    >
      {(detail) => <CardPage detail={detail} />}
    </WhenRead>
  )
}

function CardPage({ detail }: { detail: CardDetail }) {
  const environment = useEnvironment()
  const { card, account, history, replacements, waiting, freshness } = detail
  const { currency } = account
  const accountName = accountTitle(account)
  const title = cardTitle(card)
  const target = { card, cardAccountId: account.id, accountName, currency }
  const acting = useCardActions(target, waiting.length > 0)
  const replacing = useReplaceCard(account, card, {
    replaced: replacedText(replacements),
    uncancellable: acting.actions.find(({ action }) => action === 'cancel')?.unavailable,
  })
  const revealing = useRevealCard({ card, cardAccountId: account.id })
  const { role } = usePermissions()
  const actions = [...acting.actions, ...replacing.actions]
  useCardCommands(title, actions)
  useActionParam([...actions, { action: 'reveal', ...revealing }], role !== undefined)
  return (
    <Page
      title={title}
      badge={
        <>
          <PageStatus code={card.status} toEntry={cardStatusEntry} />
          {waiting.length > 0 && <CancellationWaiting />}
        </>
      }
      label={title.replace('ending ', '')}
      above={[
        { label: 'Card accounts', href: routes.cardAccounts(environment) },
        { label: accountName, href: routes.cardAccount(environment, account.id) },
      ]}
      actions={
        <>
          <EmbedButton type="card" id={card.id} cardAccountId={account.id} />
          <SimulateMenu about={{ cardAccountId: account.id, cardId: card.id, currency }} />
        </>
      }
      subtitle={<RecordSubtitle lead={[accountName]} noun="card" id={card.id} freshness={freshness} />}
    >
      <Connected detail={detail} />
      <div className="grid min-w-0 items-start gap-5 lg:grid-cols-[15rem_minmax(0,1fr)] xl:grid-cols-[20rem_minmax(0,1fr)]">
        <div className="grid min-w-0 justify-items-center gap-3">
          <CardFace card={card} className="w-full max-w-80" />
          <RevealButton {...revealing} />
        </div>
        <Panel className="@container">
          <h2 className="sr-only">Status</h2>
          <CardRail history={history} />
          <p className="mt-4 border-t pt-3 text-soft">
            <StatusReason current={history.current} /> {cardStatusEntry(card.status).meaning}
            <HeldEntry current={history.current} />
          </p>
          {card.status === 'suspended' && <UnderlyingStatus underlyingStatus={history.underlyingStatus} />}
          <div className="mt-3">
            <CardActionButtons actions={actions} />
          </div>
          <div className="mt-3 border-t pt-2.5">
            <StatusMeanings />
          </div>
        </Panel>
      </div>
      <CardRecords detail={detail} />
      {acting.dialog}
      {replacing.dialog}
    </Page>
  )
}

/** Drawn again only with other data: dialogs open and close above it. */
const CardRecords = memo(function CardRecords({
  detail: { card, account, history, serviceAt, freshness },
}: {
  detail: CardDetail
}) {
  const { data: declined } = useRead('listTransactions', account.id, declinedFilters(card.id))
  const hasLimits = card.status !== 'cancelled'
  return (
    <>
      <div
        className={`grid min-w-0 gap-5 md:grid-cols-2 ${hasLimits ? '2xl:grid-cols-3 2xl:grid-rows-[auto_1fr] 2xl:*:first:row-span-2' : 'md:grid-rows-[auto_1fr]'}`}
      >
        {hasLimits && (
          <CardLimitsPanel
            card={card}
            cardAccountId={account.id}
            currency={account.currency}
            nowMs={Date.parse(serviceAt)}
          />
        )}
        {/* Before what flows around it: a browser that paints while it still reads the page moves nothing afterwards. */}
        <div
          className={`grid min-w-0 max-md:order-last md:col-start-2 md:row-start-1 ${hasLimits ? '2xl:col-start-3 2xl:row-end-3' : 'md:row-end-3'}`}
        >
          <CardFacts card={card} cardAccountId={account.id} />
        </div>
        <WhatHappened
          card={card}
          history={history}
          declines={declined?.transactions ?? []}
          serviceAt={serviceAt}
          asOf={freshness.asOf}
        />
        <NotesPanel target={{ type: 'card', id: card.id }} />
      </div>
      <CardTransactions cardAccountId={account.id} cardId={card.id} />
    </>
  )
})

/** Who set the status and why. */
function StatusReason({ current }: { current: CardHistory['current'] }) {
  const { status, by, reason, act } = current
  if (status === null || by === null) return null
  const stated = statedReason(reason)?.toLowerCase()
  return (
    <span className="font-medium text-ink wrap-anywhere">
      {heldLabel(act, status)} by {by.name}
      {stated && ` because: ${stated}`}.
    </span>
  )
}

/** The audit entry of the status. */
function HeldEntry({ current: { status, by, operationId } }: { current: CardHistory['current'] }) {
  return status && by && operationId && <AuditEntryLink operationId={operationId} />
}

/** "Unlocked" and not "Active" where a person unlocked it. */
function heldLabel(act: string | null, status: string): string {
  const done = (act !== null && findOperationDefinition(act)?.done) || cardStatusEntry(status).label
  const short = done.replace(/^Card /, '')
  return withCapital(short)
}

/** The other cards that this one leads to, and what waits for it. */
function Connected({
  detail: { account, replacements, waiting },
}: {
  detail: Pick<CardDetail, 'account' | 'replacements' | 'waiting'>
}) {
  const environment = useEnvironment()
  const { replacedBy, replaces, underWay, waitsFor, notIssued } = replacements
  const link = ({ id, last4 }: LinkedCard) => (
    <TextLink href={routes.card(environment, account.id, id)}>
      {last4 ? `card ending ${last4}` : 'another card'}
    </TextLink>
  )
  if (!replacedBy && !replaces && !underWay && !notIssued && waiting.length === 0) return null
  return (
    <div className="grid gap-2">
      <WaitingChanges title="Cancellation waiting." waiting={waiting} />
      {underWay && <ReplacementUnderWay operationId={underWay} waitsFor={waitsFor} />}
      {notIssued && (
        <Callout tone="warn" title="No replacement was issued." actions={<ViewSteps operationId={notIssued} />}>
          The card was cancelled, but the step after it was not done.
        </Callout>
      )}
      {(replacedBy || replaces) && (
        <Callout tone="neutral">
          {replacedBy && <>Replaced by {link(replacedBy)}. </>}
          {replaces && <>Replaces {link(replaces)}.</>}
        </Callout>
      )}
    </div>
  )
}

function ReplacementUnderWay({
  operationId,
  waitsFor,
}: {
  operationId: string
  waitsFor: CardDetail['replacements']['waitsFor']
}) {
  if (waitsFor === 'approval') {
    return <Callout title="A replacement waits for an approval.">Nothing is issued before that.</Callout>
  }
  if (waitsFor === null) return <Callout title="A replacement is being issued.">It appears here.</Callout>
  return (
    <Callout title="A replacement waits for the step before it." actions={<ViewSteps operationId={operationId} />}>
      It is issued once that is confirmed.
    </Callout>
  )
}

function ViewSteps({ operationId }: { operationId: string }) {
  const environment = useEnvironment()
  return <ButtonLink href={routes.operation(environment, operationId)}>View the steps</ButtonLink>
}

/** The status below the suspension, which Unsuspend restores. */
function UnderlyingStatus({ underlyingStatus }: { underlyingStatus: CardHistory['underlyingStatus'] }) {
  if (underlyingStatus?.status !== 'locked')
    return <p className="mt-1 text-soft">{unsuspendConsequence(underlyingStatus)}</p>
  const { since, by } = underlyingStatus
  return (
    <p className="mt-1 text-soft">
      <span className="font-medium text-ink">Also locked</span>
      {by && ` by ${by.name}`}
      {since && (
        <>
          {' '}
          since <Time instant={since} />
        </>
      )}
      . Unsuspend leaves the card Locked.
    </p>
  )
}

/** Offers in the palette what the buttons offer now. */
function useCardCommands(title: string, actions: readonly OfferedDeed[]): void {
  const offered = actions.filter(({ unavailable }) => unavailable === undefined)
  usePaletteCommands(
    [title, ...offered.map(({ action }) => action)].join(' '),
    offered.map(({ action, label, icon: Icon, open }) => ({
      id: `card-${action}`,
      label,
      group: title,
      icon: <Icon />,
      keywords: action === 'lost' ? 'card report' : 'card',
      onSelect: open,
    })),
  )
}

/** The statuses of a card so far, each with its time where Carddesk has it. Who set the present one stands above. */
function CardRail({ history }: { history: CardHistory }) {
  return (
    <StatusRail
      stops={history.rail.map((stop) => ({
        ...cardStatusEntry(stop.status),
        status: stop.status,
        isNow: stop.isNow,
        isReached: stop.reached,
        ...(stop.at !== null || stop.isNow ? { detail: <Since stop={stop} /> } : {}),
      }))}
    />
  )
}

function Since({ stop }: { stop: CardRailStop }) {
  return (
    <>
      {stop.at ? (
        <Time instant={stop.at} />
      ) : stop.notAfter ? (
        <>
          Since before <Time instant={stop.notAfter} />
        </>
      ) : (
        'Date unknown'
      )}
    </>
  )
}

/** The meaning of each status, folded away until it is opened. */
function StatusMeanings() {
  return (
    <Disclosure title="What each status means">
      <dl className="grid gap-x-6 gap-y-2.5 @xl:grid-cols-2">
        {cardStatuses.map((status) => (
          <div key={status} className="grid justify-items-start gap-1">
            <dt>
              <CodeBadge code={status} toEntry={cardStatusEntry} />
            </dt>
            <dd className="text-xs text-soft">{cardStatusEntry(status).meaning}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-3 text-xs text-soft">{lockAndSuspend}</p>
    </Disclosure>
  )
}
