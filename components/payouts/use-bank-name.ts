import { useQuery } from '@tanstack/react-query'
import { useEnvironment } from '#components/environment/use-environment.ts'
import { readQuery } from '#lib/queries/reads.ts'

/** A bank's code after the name that the list of its country has for it, `BDO Unibank · 010530667`; null without a code. */
export function useBankName(country: string | null, bankCode: string | null): string | null {
  const environment = useEnvironment()
  const { data } = useQuery({
    ...readQuery('listPayoutBanks', environment, country ?? ''),
    enabled: Boolean(country) && Boolean(bankCode),
  })
  if (!bankCode) return null
  const name = data?.banks.find(({ code }) => code === bankCode)?.name
  return name === undefined ? bankCode : `${name} · ${bankCode}`
}
