import 'server-only'
import { z } from 'zod'
import { type BulkItemEntry, maximumBulkItems } from '#lib/operations/bulk/start.ts'
import { fieldErrors } from '#lib/shared/parse.ts'
import type { Environment } from '#lib/shared/routes.ts'
import type { EarlierRow } from './earlier-rows.ts'
import type { JobEffect, JobSettings, LeftOut } from './types.ts'

/** The records that a job is for, and what it does to them beyond its kind. */
type PlanRequest<Settings> = {
  environment: Environment
  /** Null: everything that the filter matches. */
  ids: readonly string[] | null
  /** The filter of the list that they were chosen in. */
  filters: Record<string, unknown>
  settings: Settings
  staffId: string
}

/** A job as it would start now. */
type JobPlan = {
  /** A row for each record that it would change. */
  items: BulkItemEntry[]
  leftOut: LeftOut[]
  /** More match the filter than one job can take: these are the newest. */
  isTruncated: boolean
  /** The oldest reading that it is made from. */
  asOf: Date
  effect?: JobEffect
}

/**
 * The rows that a job takes of those found, one more of which shows that there are more. `unknown` counts the chosen ids
 * (null: everything that the filter matches) that were not found.
 */
export function takeRows<Row extends { readAt: Date }>(found: readonly Row[], ids: readonly string[] | null) {
  const rows = found.slice(0, maximumBulkItems)
  const missing = (ids ?? rows).length - rows.length
  return {
    rows,
    unknown: missing > 0 ? [{ because: 'unknown', rows: missing }] : [],
    isTruncated: found.length > rows.length,
    asOf: new Date(rows.reduce((oldest, { readAt }) => Math.min(oldest, readAt.getTime()), Date.now())),
  }
}

type Definition<Settings> = {
  settings: z.ZodType<Settings>
  /** Errors of the settings by field, beyond those of their schema. */
  issues?(settings: Settings): Record<string, string>
  /** May throw an `AppError`. Reads only: it is made for the preview, and again before the job starts. */
  plan(request: PlanRequest<Settings>): Promise<JobPlan>
  /** "Lock 3 cards". */
  title(rows: number, settings: Settings): string
  /** The settings of a row of an earlier job, whose refused rows are done again. */
  toSettings?(row: EarlierRow): JobSettings
}

/** One kind of bulk job. Its settings are as the dialog has them; `fields` are their issues. */
export type JobKind = {
  toSettings: ((row: EarlierRow) => JobSettings) | undefined
  plan(request: PlanRequest<JobSettings>): Promise<(JobPlan & { title: string }) | { fields: Record<string, string> }>
}

export function jobKind<Settings>({ settings, issues, plan, title, toSettings }: Definition<Settings>): JobKind {
  return {
    toSettings,
    async plan(request) {
      const parsed = settings.safeParse(request.settings)
      if (!parsed.success) return { fields: fieldErrors(parsed.error) }
      const fields = issues?.(parsed.data) ?? {}
      if (Object.keys(fields).length > 0) return { fields }
      const made = await plan({ ...request, settings: parsed.data })
      return { ...made, title: title(made.items.length, parsed.data) }
    },
  }
}

/** Settings of a kind that has none. */
export const noSettings = z.strictObject({})

/** "3 cards", "1 card". */
export function rowsText(rows: number, noun: string): string {
  return rows === 1 ? `1 ${noun}` : `${rows.toLocaleString('en-HK')} ${noun}s`
}

/** How many were left out for each reason, in the order in which the reasons came. */
export function countLeftOut(reasons: readonly (string | null)[]): LeftOut[] {
  return [...Map.groupBy(reasons, (because) => because)].map(([because, own]) => ({ because, rows: own.length }))
}
