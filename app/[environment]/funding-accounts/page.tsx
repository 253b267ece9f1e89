import { FundingAccountsScreen } from '#components/funding-accounts/funding-accounts-screen.tsx'
import { unsettledPayouts } from '#components/operations/unsettled-params.ts'
import { ledgerSearch } from '#lib/api/payouts.ts'
import { routes } from '#lib/shared/routes.ts'
import { openDefaultView, page, read, readPart, readSearch } from '../prefetch.tsx'

export const metadata = { title: 'Funding accounts' }

export default page(async ({ environment, search }) => {
  await openDefaultView(environment, 'account-ledger', routes.fundingAccounts(environment), search)
  const filters = await readSearch(ledgerSearch, search)
  return {
    here: routes.fundingAccounts(environment, search),
    reads: [
      read('listFundingAccounts', environment),
      read('readFundingThresholds', environment),
      readPart('listLedger', environment, filters),
      read('listUnsettled', environment, unsettledPayouts),
    ],
    screen: <FundingAccountsScreen />,
  }
})
