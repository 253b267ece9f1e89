import { HydrationBoundary } from '@tanstack/react-query'
import { AccountListScreen } from '#components/card-accounts/account-list-screen.tsx'
import { cardAccountList, cardAccountSearch, groupKeyOf } from '#components/card-accounts/filter-params.ts'
import { listMetadataKeys } from '#lib/console/card-accounts/list.ts'
import { readQuery } from '#lib/queries/reads.ts'
import { routes } from '#lib/shared/routes.ts'
import { environmentOf, openDefaultView, pageZone, prefetch, read, readAs } from '../prefetch.ts'

export const metadata = { title: 'Card accounts' }

export default async function CardAccountsPage({ params, searchParams }: PageProps<'/[environment]/card-accounts'>) {
  const environment = environmentOf((await params).environment)
  await openDefaultView(environment, 'card-accounts', routes.cardAccounts(environment), searchParams)
  const search = await cardAccountList.load(searchParams)
  const metadataKeys = await listMetadataKeys(environment).catch(() => null)
  const groupKey = groupKeyOf(search, metadataKeys?.keys ?? [])
  const filters = cardAccountSearch(search, groupKey, await pageZone())
  const state = await prefetch(
    routes.cardAccounts(environment, await searchParams),
    readAs(readQuery('listMetadataKeys', environment), async () => metadataKeys ?? listMetadataKeys(environment)),
    read('readAggregateBalances', environment, groupKey === null ? {} : { groupKey }),
    read('listCardAccounts', environment, filters),
  )
  return (
    <HydrationBoundary state={state}>
      <AccountListScreen environment={environment} />
    </HydrationBoundary>
  )
}
