import { AsOf } from '#components/environment/as-of.tsx'
import { useEnvironment } from '#components/environment/use-environment.ts'
import { EditReferenceButton } from '#components/references/edit-reference-button.tsx'
import { MetadataList } from '#components/references/metadata-list.tsx'
import { OtherFields } from '#components/references/other-fields.tsx'
import { Dotted } from '#components/ui/dotted.tsx'
import { type Fact, FactList } from '#components/ui/fact-list.tsx'
import { IdText } from '#components/ui/id-text.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { ShortText } from '#components/ui/short-text.tsx'
import { TextLink } from '#components/ui/text-link.tsx'
import { Time } from '#components/ui/time.tsx'
import type { CardAccount } from '#lib/contract/records.ts'
import type { Freshness } from '#lib/environments/types.ts'
import { routes } from '#lib/shared/routes.ts'
import { accountTitle, accountTypeText, identityEntry } from './account-labels.ts'
import { IdentityBadge } from './identity-badge.tsx'
import { groupedPhone } from './phones.ts'

/** The ids of an account below its page's title, and when it was read. */
export function AccountIds({ account, freshness }: { account: CardAccount; freshness: Freshness }) {
  return (
    <Dotted>
      <IdText id={account.id} label="account ID" />
      {account.xid && <ShortText text={account.xid} />}
      <span>
        <AsOf freshness={freshness} />
      </span>
    </Dotted>
  )
}

export function AccountDetails({ account, rejectedReason }: { account: CardAccount; rejectedReason: string | null }) {
  const environment = useEnvironment()
  const facts: Fact[] = [
    { label: 'Type', value: account.accountType && accountTypeText(account.accountType) },
    { label: 'External ID', value: account.xid ? <IdText id={account.xid} label="external ID" isWhole /> : 'None' },
    { label: 'Phone', value: account.phoneNumber && groupedPhone(account.phoneNumber) },
    { label: 'Created', value: <Time instant={account.createdAt} format="date-time" /> },
  ]
  return (
    <Panel
      title="Details"
      actions={
        <EditReferenceButton
          target={{ type: 'cardaccount', id: account.id, label: accountTitle(account) }}
          xid={account.xid}
          xmetadata={account.xmetadata}
        />
      }
    >
      <div className="rounded-control bg-sunken px-3 py-2.5">
        <div className="flex flex-wrap items-center justify-between gap-2">
          <span className="text-soft">Identity{account.identityType && ` of the ${account.identityType}`}</span>
          {account.clientIdentityStatus ? (
            <IdentityBadge status={account.clientIdentityStatus} />
          ) : (
            <span className="text-faint">Not provided</span>
          )}
        </div>
        {rejectedReason && <p className="mt-1 font-medium wrap-anywhere">{rejectedReason}</p>}
        {account.clientIdentityStatus && account.clientIdentityStatus !== 'approved' && (
          <p className="mt-0.5 text-xs text-faint">{identityEntry(account.clientIdentityStatus).meaning}</p>
        )}
        <p className="mt-1 text-xs">
          <TextLink href={routes.identityCase(environment, account.id)}>Open identity</TextLink>
        </p>
      </div>
      <div className="mt-3">
        <FactList facts={facts} />
      </div>
      <h3 className="mt-3 mb-1.5 border-t pt-3 font-medium">Metadata</h3>
      <MetadataList xmetadata={account.xmetadata} />
      <OtherFields fields={account.otherFields} />
    </Panel>
  )
}
