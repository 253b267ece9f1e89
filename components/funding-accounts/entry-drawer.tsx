'use client'

import type { ReactNode } from 'react'
import { AsOf } from '#components/environment/as-of.tsx'
import { RecordDrawer } from '#components/environment/record-drawer.tsx'
import { useEnvironment } from '#components/environment/use-environment.ts'
import { MetadataList } from '#components/references/metadata-list.tsx'
import { OtherFields } from '#components/references/other-fields.tsx'
import { CodeBadge } from '#components/ui/badge.tsx'
import { FactList } from '#components/ui/fact-list.tsx'
import { CopyButton, IdText } from '#components/ui/id-text.tsx'
import { Time } from '#components/ui/time.tsx'
import type { AccountTransaction } from '#lib/contract/records.ts'
import { readQuery } from '#lib/queries/reads.ts'
import { Cause, LedgerAmount, LedgerBalance } from './ledger-columns.tsx'
import { ledgerIntentLabel, ledgerStatusEntry } from './ledger-labels.ts'

/** One entry of the ledger, whole. */
export function EntryDrawer({ openId, onClose }: { openId: string | null; onClose: () => void }) {
  const environment = useEnvironment()
  return (
    <RecordDrawer
      openId={openId}
      read={(id) => readQuery('readLedgerEntry', environment, id)}
      what="The ledger entry"
      renderTitle={(detail) => (detail ? entryTitle(detail.entry) : 'Ledger entry')}
      onClose={onClose}
    >
      {({ entry, freshness }) => (
        <div className="grid gap-4">
          <EntryDetail entry={entry} />
          <p className="text-xs text-faint">
            Entry <AsOf freshness={freshness} />.
          </p>
        </div>
      )}
    </RecordDrawer>
  )
}

function entryTitle({ intent, accountLabel }: AccountTransaction): string {
  const what = intent ? ledgerIntentLabel(intent) : 'Ledger entry'
  return accountLabel ? `${what} of ${accountLabel}` : what
}

export function EntryDetail({ entry }: { entry: AccountTransaction }) {
  const { status } = entry
  return (
    <div className="grid gap-4">
      <FactList
        isFramed
        facts={[
          { label: 'Amount', value: <LedgerAmount entry={entry} /> },
          {
            label: 'Status',
            value: (
              <>
                <CodeBadge code={status} toEntry={ledgerStatusEntry} />
                {status && (
                  <span className="block text-2xs text-faint empty:hidden">{ledgerStatusEntry(status).meaning}</span>
                )}
              </>
            ),
          },
          { label: 'Balance after', value: <LedgerBalance entry={entry} /> },
          { label: 'Time', value: <Time instant={entry.time ?? entry.createdAt} format="exact" isZoneShown /> },
          { label: 'Description', value: entry.description },
        ]}
      />
      <FactList
        isFramed
        facts={[
          { label: 'Account', value: party('account', entry.accountLabel, entry.accountNumber) },
          { label: 'From', value: party('from', entry.fromAccountLabel, entry.fromAccountNumber) ?? <None /> },
          { label: 'To', value: party('to', entry.toAccountLabel, entry.toAccountNumber) ?? <None /> },
        ]}
      />
      <FactList
        isFramed
        facts={[
          { label: 'Intent', value: entry.intent && ledgerIntentLabel(entry.intent) },
          { label: 'Caused by', value: <Cause entry={entry} /> },
          { label: 'Intent id', value: <IdText id={entry.intentId} label="intent id" /> },
          { label: 'Intent reference', value: <IdText id={entry.intentRefId} label="intent reference" /> },
          { label: 'Entry id', value: <IdText id={entry.id} label="entry id" /> },
          {
            label: 'External ID',
            value: entry.xid ? (
              <span className="inline-flex items-center gap-0.5 wrap-anywhere">
                {entry.xid}
                <CopyButton text={entry.xid} label="external ID" />
              </span>
            ) : (
              <None />
            ),
          },
        ]}
      />
      <section aria-labelledby="entry-metadata" className="min-w-0">
        <h3 id="entry-metadata" className="mb-1 font-medium">
          Metadata
        </h3>
        <div className="rounded-panel border px-3 py-2">
          <MetadataList xmetadata={entry.Xmetadata} />
        </div>
      </section>
      <OtherFields fields={entry.otherFields} />
    </div>
  )
}

function None() {
  return <span className="text-faint">none</span>
}

/** An account by its name and its number; null where neither was provided. */
function party(role: string, name: string | null, number: string | null): ReactNode {
  if (!name && !number) return null
  return (
    <>
      {name && <span className="block">{name}</span>}
      {number && (
        <span className="inline-flex items-center gap-0.5 font-mono text-xs text-soft">
          {number}
          <CopyButton text={number} label={`account number (${role})`} />
        </span>
      )}
    </>
  )
}
