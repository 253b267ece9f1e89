'use client'

import { AsOf } from '#components/environment/as-of.tsx'
import { RecordDrawer } from '#components/environment/record-drawer.tsx'
import { useEnvironment } from '#components/environment/use-environment.ts'
import { usePermissions } from '#components/environment/use-permissions.ts'
import { NotesPanel } from '#components/notes/notes-panel.tsx'
import { OtherFields } from '#components/references/other-fields.tsx'
import { transactionStatusEntry } from '#components/transactions/transaction-labels.ts'
import { Amount } from '#components/ui/amount.tsx'
import { CodeBadge } from '#components/ui/badge.tsx'
import { useOpened } from '#components/ui/dialog.tsx'
import { type Fact, FactList } from '#components/ui/fact-list.tsx'
import { IdText } from '#components/ui/id-text.tsx'
import { TextLink } from '#components/ui/text-link.tsx'
import { Time } from '#components/ui/time.tsx'
import type { FeeDetail } from '#lib/console/fees/types.ts'
import { feeIntentTitle } from '#lib/contract/fee-intents.ts'
import { readQuery } from '#lib/queries/reads.ts'
import { routes } from '#lib/shared/routes.ts'
import { AccountFact } from './fee-account.tsx'
import { FeeAmount, WaiveButton } from './fee-columns.tsx'
import { feeTitle } from './fee-labels.ts'
import { WaiveDialog } from './waive-dialog.tsx'

/** One fee with everything that the interface says of it, and its account’s balance. */
export function FeeDrawer({
  openId,
  mayWaive,
  onClose,
}: {
  openId: string | null
  mayWaive: boolean
  onClose: () => void
}) {
  const environment = useEnvironment()
  const { open, opened } = useOpened<{ row: FeeDetail }>()
  return (
    <RecordDrawer
      openId={openId}
      read={(id) => readQuery('readFee', environment, id)}
      what="The fee"
      renderTitle={(detail) => <span className="wrap-anywhere">{detail ? feeTitle(detail) : 'Fee'}</span>}
      renderFooter={(row) => mayWaive && <WaiveButton row={row} size="large" onPress={() => open({ row })} />}
      onClose={onClose}
    >
      {(detail) => (
        <div className="grid gap-5">
          <FeeFacts detail={detail} />
          <NotesPanel target={{ type: 'fee', id: detail.fee.id }} />
          {opened && <WaiveDialog key={opened.operationId} {...opened} />}
        </div>
      )}
    </RecordDrawer>
  )
}

export function FeeFacts({ detail }: { detail: FeeDetail }) {
  const environment = useEnvironment()
  const { may } = usePermissions()
  const { fee, account, balance, freshness } = detail
  const { transaction } = fee
  const cardTransaction = transaction && 'cardAccountId' in transaction ? transaction : null
  const cardAccountId = account?.kind === 'card-account' ? account.id : cardTransaction?.cardAccountId
  const facts: Fact[] = [
    { label: 'Amount', value: <FeeAmount row={detail} size="large" /> },
    { label: 'Status', value: fee.status && <CodeBadge code={fee.status} toEntry={transactionStatusEntry} /> },
    { label: 'Charged', value: <Time instant={fee.createdAt} format="exact" isZoneShown /> },
    { label: 'Account', value: <AccountFact account={account} /> },
    ...(balance
      ? [{ label: 'Balance now', value: <Amount amount={balance.balance} currency={balance.currency} /> }]
      : []),
    {
      label: 'Intent',
      value: fee.intent && (
        <span className="wrap-anywhere" title={fee.intent}>
          {feeIntentTitle(fee.intent)}
        </span>
      ),
    },
    { label: 'Fee ID', value: <IdText id={fee.id} label="fee ID" /> },
    { label: 'Caused by', value: <IdText id={fee.intentId} label="id of the instruction" /> },
    ...(cardTransaction?.id && cardAccountId
      ? [
          {
            label: 'Transaction',
            value: (
              <TextLink href={routes.transaction(environment, cardAccountId, cardTransaction.id)}>
                {cardTransaction.refId || 'Open'}
              </TextLink>
            ),
          },
        ]
      : []),
    ...(transaction?.xid
      ? [{ label: 'External ID of the transaction', value: <span className="wrap-anywhere">{transaction.xid}</span> }]
      : []),
  ]
  return (
    <div className="grid gap-3">
      <FactList isFramed facts={facts} />
      <OtherFields fields={fee.otherFields} />
      <p className="text-xs text-faint">
        Fee and balance <AsOf freshness={freshness} />.
        {may.has('audit.read') && (
          <>
            {' '}
            <TextLink href={routes.audit(environment, { targetId: fee.id })}>Audit history</TextLink>
          </>
        )}
      </p>
    </div>
  )
}
