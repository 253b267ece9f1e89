import 'server-only'
import { z } from 'zod'
import type { FeeEntry } from '#lib/contract/records.ts'
import { requireService } from '#lib/environments/environments.ts'
import { staffAction } from '#lib/operations/act.ts'
import { type BulkItemEntry, isStarted, startBulkJob } from '#lib/operations/bulk/start.ts'
import { reasonIssues } from '#lib/operations/kinds.ts'
import { ActionInput, Id } from '#lib/operations/spec.ts'
import type { NotStarted } from '#lib/operations/types.ts'
import { reasonLine } from '#lib/shared/reasons.ts'
import { readLeftOver } from '../bulk/left-over.ts'
import type { AccountNames } from './accounts.ts'
import { ChosenFees, readChosenFees } from './chosen.ts'
import { effectsOf, returnedBy } from './effect.ts'
import { parseFeeFilters } from './filter.ts'
import { amountOf, changeOf, feeTarget, isVoid } from './record.ts'
import { compareCodes } from './sums.ts'
import type { StartWaiversResult, WaiverPreview, WaiverTotal } from './types.ts'

export type WaiverPreviewResult = { kind: 'read'; preview: WaiverPreview } | NotStarted

const waiving = { kind: 'fee.waive', permission: 'fees.waive' } as const

/** The chosen fees, or those that a job refused or never began. */
const Chosen = ChosenFees.extend({ leftOverOf: Id.optional() })

/** Reads every chosen fee and its account again, and adds up what waiving would do. Changes nothing. */
export function previewWaivers(input: z.input<typeof Chosen>): Promise<WaiverPreviewResult> {
  return staffAction(waiving, Chosen, input, async ({ environment, filters, leftOverOf, ...chosen }, staff) => {
    requireService(environment)
    const left = leftOverOf === undefined ? null : await readLeftOver(environment, leftOverOf, 'fee.waive')
    const feeIds = leftOverOf === undefined ? chosen.feeIds : (left?.rows ?? []).map(({ targetId }) => targetId)
    const found = await readChosenFees(environment, feeIds, parseFeeFilters(filters), staff.id)
    const waivable = found.fees.filter((fee) => !isVoid(fee))
    const { effects } = await effectsOf(environment, waivable)
    return {
      kind: 'read',
      preview: {
        feeIds: waivable.map(({ id }) => id),
        totals: totalsOf(waivable),
        effects,
        leftOut: [
          ...found.fees.filter(isVoid).map(({ id, intent }) => ({ id, intent, because: 'void' as const })),
          ...found.missing.map((id) => ({ id, intent: null, because: 'unknown' as const })),
        ],
        isCut: found.isCut,
        excluded: found.excluded,
        asOf: found.fetchedAt.toISOString(),
      },
    }
  })
}

const Waivers = ActionInput.extend({
  feeIds: ChosenFees.shape.feeIds.unwrap(),
  filters: ChosenFees.shape.filters,
  /** The figures that the person confirmed: other fees are not waived. */
  confirmed: z
    .array(z.object({ currency: z.string().nullable(), fees: z.int(), amount: z.string().nullable() }))
    .max(100),
})

export type StartWaiversInput = z.input<typeof Waivers>

/**
 * Starts the job that waives fees one by one; the operation's id is the job's. Where anything is not as it was confirmed
 * (a fee void by now, another amount) nothing starts, and the field `confirmed` says so.
 */
export function startWaivers(input: StartWaiversInput): Promise<StartWaiversResult> {
  return staffAction(waiving, Waivers, input, async (given, staff) => {
    const { environment, operationId: id, feeIds, filters, reason, comment, confirmed } = given
    const issues = reasonIssues('fee.waive', given, true)
    if (!reason || Object.keys(issues).length > 0) return { kind: 'invalid', fields: issues }
    const started = { kind: 'started', jobId: id } as const
    if (await isStarted(id, staff.id)) return started
    requireService(environment)
    const found = await readChosenFees(environment, feeIds, parseFeeFilters(filters), staff.id)
    const fees = found.fees.filter((fee) => !isVoid(fee))
    if (!isSameTotals(totalsOf(fees), confirmed)) {
      // Its own first rows may be void already: a second click leads to the job that the first one made.
      if (await isStarted(id, staff.id)) return started
      return { kind: 'invalid', fields: { confirmed: 'is not what the fees come to any more' } }
    }
    const { names } = await effectsOf(environment, fees)
    await startBulkJob({
      id,
      environment,
      kind: 'fee.waive',
      title: fees.length === 1 ? 'Waive 1 fee' : `Waive ${fees.length.toLocaleString('en-HK')} fees`,
      reason: reasonLine(reason, comment ?? null),
      by: staff,
      items: fees.map((fee) => itemOf(fee, names)),
    })
    return started
  })
}

function totalsOf(fees: readonly FeeEntry[]): WaiverTotal[] {
  return [...Map.groupBy(fees, ({ currency }) => currency)]
    .map(([currency, own]) => ({ currency, ...returnedBy(currency, own) }))
    .toSorted((one, other) => other.fees - one.fees || compareCodes(one.currency, other.currency))
}

type ConfirmedTotal = Omit<WaiverTotal, 'excluded'>

function isSameTotals(now: readonly WaiverTotal[], confirmed: readonly ConfirmedTotal[]): boolean {
  const asText = (totals: readonly ConfirmedTotal[]) =>
    totals.map(({ currency, fees, amount }) => `${currency} ${fees} ${amount}`).toSorted()
  return now.length > 0 && asText(now).join('\n') === asText(confirmed).join('\n')
}

function itemOf(fee: FeeEntry, names: AccountNames): BulkItemEntry {
  const target = feeTarget(fee)
  const { transaction } = fee
  const label = transaction && 'accountLabel' in transaction ? transaction.accountLabel : null
  const account = target.parentId === null ? undefined : names.get(target.parentId.toLowerCase())
  return {
    target,
    endpoint: 'waiveFee',
    body: { id: fee.id },
    facts: {
      account: account?.name ?? label,
      xid: account?.xid ?? null,
      intent: fee.intent,
      amount: amountOf(fee.amount)?.toFixed() ?? null,
      change: changeOf(fee)?.toFixed() ?? null,
      entryType: transaction && 'entryType' in transaction ? transaction.entryType : null,
      currency: fee.currency,
    },
  }
}
