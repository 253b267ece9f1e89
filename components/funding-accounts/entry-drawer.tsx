'use client'

import type { ReactNode } from 'react'
import { MetadataList } from '#components/references/metadata-list.tsx'
import { OtherFields } from '#components/references/other-fields.tsx'
import { CodeBadge } from '#components/ui/badge.tsx'
import { Dialog } from '#components/ui/dialog.tsx'
import { CopyButton, IdText } from '#components/ui/id-text.tsx'
import { NotProvided, Provided } from '#components/ui/not-provided.tsx'
import { LoadingBlocks } from '#components/ui/skeleton.tsx'
import { Time } from '#components/ui/time.tsx'
import type { AccountTransaction } from '#lib/contract/records.ts'
import { sameId } from '#lib/shared/ids.ts'
import { Cause, LedgerAmount, LedgerBalance } from './ledger-columns.tsx'
import { entryKey, ledgerIntentLabel, ledgerStatusEntry } from './ledger-labels.ts'

/** One entry of the ledger, whole. `entries` is the page that is shown; undefined while it is on its way. */
export function EntryDrawer({
  openId,
  entries,
  onClose,
}: {
  /** The `entryKey` of the entry; null while none is open. */
  openId: string | null
  entries: readonly AccountTransaction[] | undefined
  onClose: () => void
}) {
  const entry = entries?.find((one) => sameId(entryKey(one), openId))
  return (
    <Dialog
      kind="drawer-end"
      isOpen={openId !== null}
      onClose={onClose}
      title={entry ? entryTitle(entry) : 'Ledger entry'}
    >
      {entry && <EntryDetail entry={entry} />}
      {!entry && entries && (
        <p className="text-soft">
          This entry is not on this page of the ledger: newer entries may have moved it on, or a filter leaves it out.
        </p>
      )}
      {!entries && <LoadingBlocks what="the entry" blocks={['h-64']} />}
    </Dialog>
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
      <dl className="divide-y rounded-panel border">
        <Row label="Amount">
          <LedgerAmount entry={entry} />
        </Row>
        <Row label="Status" note={status && ledgerStatusEntry(status).meaning}>
          <CodeBadge code={status} toEntry={ledgerStatusEntry} />
        </Row>
        <Row label="Balance after">
          <LedgerBalance entry={entry} />
        </Row>
        <Row label="Time">
          <Time instant={entry.time ?? entry.createdAt} format="exact" isZoneShown />
        </Row>
        <Row label="Description">
          <Provided>{entry.description}</Provided>
        </Row>
      </dl>
      <dl className="divide-y rounded-panel border">
        <AccountRow label="Account" name={entry.accountLabel} number={entry.accountNumber} />
        <AccountRow label="From" name={entry.fromAccountLabel} number={entry.fromAccountNumber} />
        <AccountRow label="To" name={entry.toAccountLabel} number={entry.toAccountNumber} />
      </dl>
      <dl className="divide-y rounded-panel border">
        <Row label="Intent">
          <Provided>{entry.intent && ledgerIntentLabel(entry.intent)}</Provided>
        </Row>
        <Row label="Caused by">
          <Cause entry={entry} />
        </Row>
        <Row label="Intent id">
          <IdText id={entry.intentId} label="intent id" />
        </Row>
        <Row label="Intent reference">
          <IdText id={entry.intentRefId} label="intent reference" />
        </Row>
        <Row label="Entry id">
          <IdText id={entry.id} label="entry id" />
        </Row>
        <Row label="External ID">
          {entry.xid ? (
            <span className="inline-flex items-center gap-0.5 wrap-anywhere">
              {entry.xid}
              <CopyButton text={entry.xid} label="external ID" />
            </span>
          ) : (
            <None />
          )}
        </Row>
      </dl>
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

function Row({ label, note, children }: { label: string; note?: string | null; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[minmax(6rem,9rem)_minmax(0,1fr)] items-baseline gap-x-4 px-3 py-2">
      <dt className="text-soft">{label}</dt>
      <dd className="min-w-0 wrap-anywhere">{children}</dd>
      {note && <dd className="col-start-2 text-2xs text-faint">{note}</dd>}
    </div>
  )
}

function AccountRow({ label, name, number }: { label: string; name: string | null; number: string | null }) {
  return (
    <Row label={label}>
      {name && <span className="block">{name}</span>}
      {number && (
        <span className="inline-flex items-center gap-0.5 font-mono text-xs text-soft">
          {number}
          <CopyButton text={number} label={`account number (${label.toLowerCase()})`} />
        </span>
      )}
      {!name && !number && (label === 'Account' ? <NotProvided /> : <None />)}
    </Row>
  )
}
