import { useEnvironment } from '#components/environment/use-environment.ts'
import { RecordDetails } from '#components/references/record-details.tsx'
import { type Fact } from '#components/ui/fact-list.tsx'
import { TextLink } from '#components/ui/text-link.tsx'
import { Time } from '#components/ui/time.tsx'
import type { CardAccount } from '#lib/contract/records.ts'
import { routes } from '#lib/shared/routes.ts'
import { accountTitle, accountTypeText, identityEntry } from './account-labels.ts'
import { IdentityBadge } from './identity-badge.tsx'
import { groupedPhone } from './phones.ts'

export function AccountDetails({ account, rejectedReason }: { account: CardAccount; rejectedReason: string | null }) {
  const environment = useEnvironment()
  const facts: Fact[] = [
    { label: 'Type', value: account.accountType && accountTypeText(account.accountType) },
    { label: 'Phone', value: account.phoneNumber && groupedPhone(account.phoneNumber) },
    { label: 'Created', value: <Time instant={account.createdAt} /> },
  ]
  return (
    <RecordDetails
      target={{ type: 'cardaccount', id: account.id, label: accountTitle(account) }}
      record={account}
      facts={facts}
    >
      <div className="mb-3 rounded-control bg-sunken px-3 py-2.5">
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
    </RecordDetails>
  )
}
