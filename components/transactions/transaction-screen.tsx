'use client'

import { useState } from 'react'
import { accountTitle } from '#components/card-accounts/account-labels.ts'
import { EmbedButton } from '#components/embed/embed-button.tsx'
import { RecordSubtitle } from '#components/environment/record-subtitle.tsx'
import { useEnvironment, useRead } from '#components/environment/use-environment.ts'
import { usePermissions } from '#components/environment/use-permissions.ts'
import { WhenRead } from '#components/environment/when-read.tsx'
import { NotesPanel } from '#components/notes/notes-panel.tsx'
import { ReproduceButton } from '#components/qa/reproduce-button.tsx'
import { SimulateMenu } from '#components/qa/simulate-menu.tsx'
import { amountText, Amount } from '#components/ui/amount.tsx'
import { CodeBadge, PageStatus } from '#components/ui/badge.tsx'
import { Callout } from '#components/ui/callout.tsx'
import { FactList, type Fact } from '#components/ui/fact-list.tsx'
import { IdText } from '#components/ui/id-text.tsx'
import { Page } from '#components/ui/page.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { Time } from '#components/ui/time.tsx'
import type { TransactionDetail } from '#lib/console/transactions/types.ts'
import { countryLabel } from '#lib/contract/country-names.ts'
import { isDifferent } from '#lib/contract/exact-sum.ts'
import type { CardAccountTransaction } from '#lib/contract/records.ts'
import { isUncounted } from '#lib/contract/terms.ts'
import { routes } from '#lib/shared/routes.ts'
import { asSentence } from '#lib/shared/texts.ts'
import { DeclinePanel } from './decline-panel.tsx'
import { TransactionFacts } from './transaction-facts.tsx'
import {
  declineReason,
  intentLabel,
  responseText,
  transactionTitle,
  disputeStatusEntry,
  transactionStatusEntry,
} from './transaction-labels.ts'
import { effectText, foreignAmount, authorizationTypeLabel } from './transaction-meanings.ts'
import { TransactionTimeline } from './transaction-timeline.tsx'

/** The request to the issuer, and the issuer's response. Only charges have an authorization. */
function AuthorizationPanel({ transaction }: { transaction: CardAccountTransaction }) {
  const { authorization } = transaction
  if (!authorization) return null
  const { amount, currency, type, cardPresent, createdAt, id } = authorization
  const facts: Fact[] = [
    // Why it was declined stands at the top of the page.
    ...(transaction.status === 'declined' ? [] : [{ label: 'Response', value: responseText(transaction) }]),
    { label: 'Amount requested', value: <Amount amount={amount} currency={currency} /> },
    { label: 'Type', value: type && authorizationTypeLabel(type) },
    {
      label: 'Card',
      value: cardPresent === null ? null : cardPresent ? 'Present, with the cardholder' : 'Not present',
    },
    { label: 'Requested', value: <Time instant={createdAt} format="exact" isZoneShown /> },
    { label: 'Authorization ID', value: <IdText id={id} label="authorization ID" /> },
  ]
  return (
    <Panel title="Authorization">
      <FactList facts={facts} />
    </Panel>
  )
}

function MerchantPanel({ transaction }: { transaction: CardAccountTransaction }) {
  const { merchant } = transaction
  if (!merchant) return null
  const { name, category, mcc, country } = merchant
  const facts: Fact[] = [
    { label: 'Name', value: name },
    {
      label: 'Category',
      value: (category || mcc) && (
        <>
          {category || 'Not provided'} {mcc && <span className="text-faint">(MCC {mcc})</span>}
        </>
      ),
    },
    { label: 'Country', value: country && countryLabel(country) },
  ]
  return (
    <Panel title="Merchant">
      <FactList facts={facts} />
    </Panel>
  )
}

/** One transaction with its details, its timeline and related entries. */
export function TransactionScreen({ cardAccountId, transactionId }: { cardAccountId: string; transactionId: string }) {
  const transaction = useRead('readTransaction', cardAccountId, transactionId)
  return (
    <WhenRead
      query={transaction}
      what="The transaction"
      blocks={['h-7 w-64 lg:col-span-full', 'h-40', 'h-40', 'h-64', 'h-64']}
      className="lg:grid-cols-2"
    >
      {(detail) => <TransactionPage key={detail.transaction.id} detail={detail} />}
    </WhenRead>
  )
}

function TransactionPage({ detail }: { detail: TransactionDetail }) {
  const environment = useEnvironment()
  const { transaction, account, timeline, freshness } = detail
  const { may } = usePermissions()
  const { intent, status, disputeStatus } = transaction
  const title = transactionTitle(transaction)
  const accountName = accountTitle(account)
  const reason = declineReason(transaction)
  const decline = useLastDecline(detail)
  return (
    <Page
      title={title}
      badge={
        <>
          <PageStatus code={status} toEntry={transactionStatusEntry} />
          {disputeStatus && <CodeBadge code={disputeStatus} toEntry={disputeStatusEntry} />}
        </>
      }
      actions={
        <>
          <EmbedButton type="transaction" id={transaction.id} cardAccountId={account.id} />
          <ReproduceButton record={{ type: 'transaction', id: transaction.id, cardAccountId: account.id }} />
          <SimulateMenu about={{ cardAccountId: account.id, transactionId: transaction.id, status }} />
        </>
      }
      above={[
        { label: 'Card accounts', href: routes.cardAccounts(environment) },
        { label: accountName, href: routes.cardAccount(environment, account.id) },
      ]}
      subtitle={
        <RecordSubtitle
          lead={[...(intent ? [intentLabel(intent)] : []), accountName]}
          noun="transaction"
          id={transaction.id}
          freshness={freshness}
        />
      }
    >
      {reason !== undefined && (
        <Callout tone="bad" title="Declined.">
          {asSentence(reason)}
          {detail.missing.includes('decline') && ' What the records say about it couldn’t be read.'}
        </Callout>
      )}
      {decline && <DeclinePanel decline={decline} transaction={transaction} />}
      <div className="grid min-w-0 items-start gap-5 *:grid *:min-w-0 *:gap-5 lg:grid-cols-2">
        <div>
          <TransactionAmount transaction={transaction} />
          <TransactionTimeline
            cardAccountId={account.id}
            transaction={transaction}
            entries={timeline}
            seesInbox={may.has('webhooks.read')}
          />
          <NotesPanel target={{ type: 'transaction', id: transaction.id }} />
        </div>
        <div>
          <AuthorizationPanel transaction={transaction} />
          <MerchantPanel transaction={transaction} />
          <TransactionFacts detail={detail} />
        </div>
      </div>
    </Page>
  )
}

/** What is known of the decline; where a later reading lacks it, what the one before had: a dialog of its panel may be open. */
function useLastDecline({ decline, missing }: TransactionDetail): TransactionDetail['decline'] {
  const [last, setLast] = useState(decline)
  if (decline && decline !== last) setLast(decline)
  return decline ?? (missing.includes('decline') ? last : null)
}

/** The amount, what it does to the balance, and what its status and dispute mean. */
function TransactionAmount({ transaction }: { transaction: CardAccountTransaction }) {
  const { amount, grossAmount, currency, entryType, status, disputeStatus } = transaction
  const foreign = foreignAmount(transaction)
  const effect = effectText(transaction)
  const statusEntry = transactionStatusEntry(status)
  return (
    <Panel title="Amount">
      <Amount amount={amount} currency={currency} entryType={entryType} size="display" isVoid={isUncounted(status)} />
      {foreign !== null && <p className="text-soft">{foreign} requested</p>}
      {isDifferent(grossAmount, amount) && (
        <p className="text-soft">of a purchase of {amountText(grossAmount, currency)} in all</p>
      )}
      {effect && <p className="mt-2">{effect}</p>}
      <ul className="mt-2 grid gap-0.5 border-t pt-2 text-xs text-soft">
        <li>
          <span className="font-medium text-ink">{status ? statusEntry.label : 'Status'}:</span> {statusEntry.meaning}
        </li>
        {disputeStatus && (
          <li>
            <span className="font-medium text-ink">{disputeStatusEntry(disputeStatus).label}:</span>{' '}
            {disputeStatusEntry(disputeStatus).meaning}
          </li>
        )}
      </ul>
    </Panel>
  )
}
