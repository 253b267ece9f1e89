import { HydrationBoundary } from '@tanstack/react-query'
import { createLoader } from 'nuqs/server'
import { bankParams } from '#components/banks/bank-params.ts'
import { BanksScreen } from '#components/banks/banks-screen.tsx'
import { routes } from '#lib/shared/routes.ts'
import { environmentOf, prefetch, readPart } from '../prefetch.ts'

export const metadata = { title: 'Banks' }

export default async function BanksPage({ params, searchParams }: PageProps<'/[environment]/banks'>) {
  const environment = environmentOf((await params).environment)
  const { country, wireCode } = await createLoader(bankParams)(searchParams)
  const state = await prefetch(
    routes.banks(environment, await searchParams),
    readPart('listPayoutBanks', environment, country),
    ...(wireCode ? [readPart('readBank', environment, { wireCode })] : []),
  )
  return (
    <HydrationBoundary state={state}>
      <BanksScreen environment={environment} />
    </HydrationBoundary>
  )
}
