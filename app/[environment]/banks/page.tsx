import { createLoader } from 'nuqs/server'
import { bankParams } from '#components/banks/bank-params.ts'
import { BanksScreen } from '#components/banks/banks-screen.tsx'
import { routes } from '#lib/shared/routes.ts'
import { page, readPart } from '../prefetch.tsx'

export const metadata = { title: 'Banks' }

export default page(({ environment, search }) => {
  const { country, wireCode } = createLoader(bankParams)(search)
  return {
    here: routes.banks(environment, search),
    reads: [
      readPart('listPayoutBanks', environment, country),
      ...(wireCode ? [readPart('readBank', environment, { wireCode })] : []),
    ],
    screen: <BanksScreen />,
  }
})
