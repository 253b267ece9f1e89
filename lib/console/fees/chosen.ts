import 'server-only'
import { z } from 'zod'
import type { FeeEntry } from '#lib/contract/records.ts'
import { uniqueIds } from '#lib/shared/ids.ts'
import { environments, type Environment } from '#lib/shared/routes.ts'
import { ServiceId } from '../parse.ts'
import { isRefusal } from '../refusal.ts'
import type { ParsedFeeFilters } from './filter.ts'
import { readOneFee, walkedFees, walkFees } from './read.ts'

/** Which fees are meant: those of the ids, or, without any, all that the filter matches. */
export const ChosenFees = z.object({
  environment: z.enum(environments, 'must be sandbox or production'),
  feeIds: z
    .array(ServiceId, 'must be fee ids')
    .min(1, 'must name at least one fee')
    .max(walkedFees, `must name at most ${walkedFees.toLocaleString('en-HK')} fees`)
    .transform(uniqueIds)
    .nullable(),
  /** The filter of the list that they were chosen in. */
  filters: z.record(z.string(), z.unknown()),
})

/** `missing` are ids that the service does not know; `excluded` counts records of the list that came without an id. */
export type FoundFees = { fees: FeeEntry[]; missing: string[]; excluded: number; isCut: boolean; askedAt: Date }

/** Up to so many are asked for one by one, which costs less than walking a list. */
const oneByOne = 25
const atOnce = 6

/** The fees as the service has them now. */
export async function readChosenFees(
  environment: Environment,
  feeIds: readonly string[] | null,
  filters: ParsedFeeFilters,
): Promise<FoundFees> {
  if (feeIds === null) return { ...(await walkFees(environment, filters)), missing: [] }
  const askedAt = new Date()
  const walked = feeIds.length > oneByOne ? (await walkFees(environment, filters)).fees : []
  const found = new Map(walked.map((fee) => [fee.id.toLowerCase(), fee]))
  const isMissing = (id: string) => !found.has(id.toLowerCase())
  for (const fee of await readEach(environment, feeIds.filter(isMissing))) found.set(fee.id.toLowerCase(), fee)
  const fees = feeIds.flatMap((id) => found.get(id.toLowerCase()) ?? [])
  return { fees, missing: feeIds.filter(isMissing), excluded: 0, isCut: false, askedAt }
}

async function readEach(environment: Environment, ids: readonly string[]): Promise<FeeEntry[]> {
  const fees: FeeEntry[] = []
  await inParallel(ids, async (id) => {
    try {
      fees.push((await readOneFee(environment, id)).fee)
    } catch (error) {
      if (!isRefusal(error) || error.code !== 'FEE_NOT_FOUND') throw error
    }
  })
  return fees
}

/** A few at a time, so that a long list does not take the whole rate limit at once. */
export async function inParallel<Item>(items: readonly Item[], perform: (item: Item) => Promise<void>): Promise<void> {
  const waiting = items.values()
  const worker = async () => {
    for (const item of waiting) await perform(item)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}
