import { AccountListScreen } from '#components/card-accounts/account-list-screen.tsx'
import {
  cardAccountList,
  toCardAccountSearch,
  findGroupKey,
  tileSearch,
} from '#components/card-accounts/filter-params.ts'
import { reads } from '#lib/console/reads.ts'
import { readQuery } from '#lib/queries/reads.ts'
import { routes } from '#lib/shared/routes.ts'
import { openDefaultView, page, readPageZone, read, readAs } from '../prefetch.tsx'

export const metadata = { title: 'Card accounts' }

export default page(async ({ environment, search }) => {
  await openDefaultView(environment, 'card-accounts', routes.cardAccounts(environment), search)
  const params = cardAccountList.load(search)
  const metadataKeys = await reads.listMetadataKeys(environment).catch(() => null)
  const groupKey = findGroupKey(params, metadataKeys?.keys ?? [])
  const filters = toCardAccountSearch(params, groupKey, await readPageZone())
  return {
    here: routes.cardAccounts(environment, search),
    reads: [
      readAs(
        readQuery('listMetadataKeys', environment),
        async () => metadataKeys ?? reads.listMetadataKeys(environment),
      ),
      read('readAggregateBalances', environment, tileSearch(filters)),
      read('listCardAccounts', environment, filters),
    ],
    screen: <AccountListScreen />,
  }
})
