import 'server-only'
import type { FeeEntry } from '#lib/contract/records.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { askService } from '../environments.ts'
import { Refusal } from '../refusal.ts'
import type { ParsedFeeFilters } from './filter.ts'

/** As many fees as are walked for totals and for a bulk waiver: fifty pages. */
export const walkedFees = 5000
const maximumPages = 250

/** All fees of a filter, newest first, up to `walkedFees`; `isCut` where there are more. */
export type WalkedFees = { fees: FeeEntry[]; isCut: boolean; askedAt: Date; pages: number }

/** One page, as the service answers it. */
export async function askForFees(environment: Environment, { pageSize, ...filters }: ParsedFeeFilters) {
  return askService(environment, 'listFees', {
    query: { ...filters, ...(pageSize === undefined ? {} : { pageSize: String(pageSize) }) },
  })
}

/** Reads every page of a filter, whatever page it names itself. */
export async function walkFees(environment: Environment, filters: ParsedFeeFilters): Promise<WalkedFees> {
  const { pageToken: _pageToken, pageSize: _pageSize, ...narrowing } = filters
  const askedAt = new Date()
  const found = new Map<string, FeeEntry>()
  let pageToken: string | undefined
  for (let pages = 1; ; pages += 1) {
    const { answer } = await askForFees(environment, { ...narrowing, pageSize: 100, pageToken })
    for (const fee of answer.fees) if (found.size < walkedFees) found.set(fee.id, fee)
    pageToken = answer.nextPageToken ?? undefined
    const isFull = found.size >= walkedFees || pages >= maximumPages
    if (!pageToken || isFull) return { fees: [...found.values()], isCut: pageToken !== undefined, askedAt, pages }
  }
}

/** The fee as the service has it now. Throws `FEE_NOT_FOUND`. */
export async function readOneFee(environment: Environment, feeId: string): Promise<{ fee: FeeEntry; askedAt: Date }> {
  const { answer, askedAt } = await askForFees(environment, { feeId })
  const fee = answer.fees.find(({ id }) => id === feeId)
  if (!fee) throw feeNotFound()
  return { fee, askedAt }
}

export function feeNotFound(): Refusal {
  return new Refusal('FEE_NOT_FOUND', 'There is no such fee in this environment.')
}
