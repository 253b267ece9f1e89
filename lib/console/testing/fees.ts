import type { FeeEntry } from '#lib/contract/records.ts'
import type { TestConsole } from './open-console.ts'

/** Charges fees to an account of the built-in service, one after the other. */
export async function chargeFees(
  { service }: TestConsole,
  cardAccountId: string,
  amounts: readonly number[],
  intent = 'test-fee',
): Promise<FeeEntry[]> {
  const charged: FeeEntry[] = []
  for (const amount of amounts) {
    const { status, json } = await service.control('POST', '/fees', { cardAccountId, intent, amount })
    if (status !== 200) throw new Error(`a fee was not charged: ${JSON.stringify(json)}`)
    charged.push(json as FeeEntry)
  }
  return charged
}

/** What the service itself says of a fee. */
export async function feeIn({ service }: TestConsole, feeId: string): Promise<FeeEntry | undefined> {
  const { json } = await service.call('listFees', { query: { feeId } })
  return (json as { fees: FeeEntry[] }).fees[0]
}

/** The account’s balance as the service sends it. */
export async function balanceIn({ service }: TestConsole, cardAccountId: string): Promise<number> {
  const { json } = await service.call('listCardAccounts', { query: { cardAccountId } })
  return (json as { cardaccounts: { balance: number }[] }).cardaccounts[0]?.balance ?? Number.NaN
}

type SeededAccount = { id: string; name: string; xid: string | null; currency: string }

/** The accounts of the seed. */
export async function accountsIn({ service }: TestConsole): Promise<SeededAccount[]> {
  const { json } = await service.call('listCardAccounts', { query: { pageSize: '100' } })
  return (json as { cardaccounts: SeededAccount[] }).cardaccounts
}
