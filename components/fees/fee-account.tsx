import Link from 'next/link'
import type { FeeAccount as Account } from '#lib/console/fees.ts'
import { shortId } from '#lib/shared/ids.ts'
import { type Environment, routes } from '#lib/shared/routes.ts'

/** Whose fee it is: the card account with a link, or the funding account's own label. */
export function FeeAccount({ environment, account }: { environment: Environment; account: Account | null }) {
  if (account === null) return <span className="text-faint">not told</span>
  if (account.kind === 'funding-account') {
    return (
      <span className="wrap-anywhere">
        {accountName(account)} <span className="text-2xs text-faint">funding account</span>
      </span>
    )
  }
  return (
    <Link
      prefetch={false}
      href={routes.cardAccount(environment, account.id)}
      className="rounded-chip wrap-anywhere underline decoration-line underline-offset-2 hover:decoration-current"
    >
      {accountName(account)}
    </Link>
  )
}

export function accountName(account: Account | null): string {
  if (account === null) return 'an account that the service does not name'
  if (account.kind === 'funding-account') return account.label || account.number
  return account.name || shortId(account.id)
}
