import type { ReactNode } from 'react'
import { EditReferenceButton } from '#components/references/edit-reference-button.tsx'
import { MetadataList } from '#components/references/metadata-list.tsx'
import { IdText } from '#components/ui/id-text.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { Time } from '#components/ui/time.tsx'
import type { CardAccount } from '#lib/contract/records.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { accountTypeEntry, identityEntry } from './account-words.ts'
import { IdentityBadge } from './identity-badge.tsx'

export function AccountDetails({ environment, account }: { environment: Environment; account: CardAccount }) {
  const type = accountTypeEntry(account.accountType)
  const facts: [string, ReactNode][] = [
    ['Type', `${type.word}: ${type.meaning}`],
    ['External id', account.xid ? <IdText id={account.xid} label="external id" isWhole /> : 'none'],
    ['Phone', account.phoneNumber],
    ['Created', <Time key="created" instant={account.createdAt} format="date-time" />],
  ]
  return (
    <Panel
      title="Details"
      actions={
        <EditReferenceButton
          environment={environment}
          target={{ type: 'cardaccount', id: account.id, label: account.name }}
          xid={account.xid}
          xmetadata={account.xmetadata}
        />
      }
    >
      <div className="rounded-control bg-sunken px-3 py-2.5">
        <div className="flex flex-wrap items-center justify-between gap-2">
          <span className="text-soft">Identity of the {account.identityType}</span>
          <IdentityBadge status={account.clientIdentityStatus} />
        </div>
        <p className="mt-0.5 text-xs text-faint">{identityEntry(account.clientIdentityStatus).meaning}</p>
      </div>
      <dl className="mt-2 divide-y">
        {facts.map(([label, value]) => (
          <div key={label} className="flex flex-wrap items-baseline justify-between gap-x-4 py-1.5">
            <dt className="text-soft">{label}</dt>
            <dd className="min-w-0 text-right wrap-anywhere">{value}</dd>
          </div>
        ))}
      </dl>
      <h3 className="mt-3 mb-1.5 border-t pt-3 font-medium">Metadata</h3>
      <MetadataList xmetadata={account.xmetadata} />
    </Panel>
  )
}
