import { useEnvironment } from '#components/environment/use-environment.ts'
import { ButtonLink } from '#components/ui/button-link.tsx'
import { Callout } from '#components/ui/callout.tsx'
import { formatCount } from '#components/ui/count.ts'
import type { ReadResult } from '#lib/queries/reads.ts'
import { moneyText } from '#lib/shared/currency.ts'
import { routes } from '#lib/shared/routes.ts'

const namedMost = 5

/** Low funding stops payouts, so it stands above everything else: what each account has. Renders nothing where none is low. */
export function LowFunding({ accounts }: { accounts: ReadResult<'readOverview'>['lowFunding'] }) {
  const environment = useEnvironment()
  if (accounts.length === 0) return null
  const named = accounts.slice(0, namedMost).map(({ id, name, available, currency }) => {
    return `${name ?? id} has ${moneyText(available, currency)} available`
  })
  return (
    <Callout
      tone="bad"
      title={`${formatCount(accounts.length, 'funding account is below its threshold', 'funding accounts are below their thresholds')}.`}
      actions={<ButtonLink href={routes.fundingAccounts(environment)}>View funding</ButtonLink>}
    >
      {named.join(', ')}. Payouts beyond that are refused.
    </Callout>
  )
}
