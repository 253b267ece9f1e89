import { useEnvironment } from '#components/environment/use-environment.ts'
import { NotProvided } from '#components/ui/not-provided.tsx'
import { TextLink } from '#components/ui/text-link.tsx'
import type { FeeAccount as Account } from '#lib/console/fees/types.ts'
import { shortId } from '#lib/shared/ids.ts'
import { routes } from '#lib/shared/routes.ts'
import { AccountId, accountIdText } from './account-id.tsx'

/** The account of a fee: the card account with a link, or the funding account's own label. */
function FeeAccount({ account }: { account: Account | null }) {
  const environment = useEnvironment()
  if (account === null) return <NotProvided />
  if (account.kind === 'funding-account') {
    return (
      <span className="wrap-anywhere">
        {accountName(account)} <span className="text-2xs text-faint">funding account</span>
      </span>
    )
  }
  return (
    <TextLink href={routes.cardAccount(environment, account.id)} className="wrap-anywhere">
      {accountName(account)}
    </TextLink>
  )
}

/** The account with its id, since several people can have the same name. */
export function AccountFact({ account }: { account: Account | null }) {
  return (
    <>
      <FeeAccount account={account} /> <FeeAccountId account={account} />
    </>
  )
}

/** The account's id beside its name; a funding account has none, and an account without a name is shown by its id. */
export function FeeAccountId({ account }: { account: Account | null }) {
  return account?.kind === 'card-account' && account.name ? <AccountId id={account.id} xid={account.xid} /> : null
}

/** The account with its id, as text, distinguished from others of its name. */
export function accountLabel(account: Account | null): string {
  const isNamed = account?.kind === 'card-account' && account.name
  return isNamed ? `${accountName(account)}, ${accountIdText(account)}` : accountName(account)
}

export function accountName(account: Account | null): string {
  if (account === null) return 'account not provided'
  if (account.kind === 'funding-account') return account.label || account.number || 'funding account'
  return account.name || shortId(account.id)
}
