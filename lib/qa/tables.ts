import { boolean, integer, jsonb, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { consoleSchema, instant } from '#lib/tables/schema.ts'
import type { ScenarioCaseOutcome } from './lab/types.ts'
import type { RecordedCall } from './scenarios/record.ts'
import type { CaseReport } from './scenarios/report.ts'

/** A run of scenarios in the lab's sandbox. The process that runs it renews `heartbeatAt`. */
export const scenarioRuns = consoleSchema.table('scenario_runs', {
  /** Made by the screen: the same run under double click and retry. */
  id: uuid('id').primaryKey(),
  title: text('title').notNull(),
  /** The id of one of its own; null for the shared one. */
  sandbox: text('sandbox'),
  staffId: uuid('staff_id').notNull(),
  staffName: text('staff_name').notNull(),
  startedAt: instant('started_at').notNull(),
  heartbeatAt: instant('heartbeat_at').notNull(),
  finishedAt: instant('finished_at'),
  isStopRequested: boolean('is_stop_requested').notNull().default(false),
  /** Why it ended before its last case; null where it didn't. */
  problem: text('problem'),
})

/**
 * The recording of a person in the sandbox, one each. Operations are in the journal; `calls` are those of the
 * control plane, whose bodies are stored nowhere else.
 */
export const scenarioRecordings = consoleSchema.table('scenario_recordings', {
  staffId: uuid('staff_id').primaryKey(),
  startedAt: instant('started_at').notNull(),
  stoppedAt: instant('stopped_at'),
  calls: jsonb('calls').notNull().$type<(RecordedCall & { at: string })[]>().default([]),
})

/** The cases of a run in their order, with the report of each case that has started. */
export const scenarioCases = consoleSchema.table(
  'scenario_cases',
  {
    runId: uuid('run_id')
      .notNull()
      .references(() => scenarioRuns.id, { onDelete: 'cascade' }),
    position: integer('position').notNull(),
    file: text('file').notNull(),
    title: text('title').notNull(),
    label: text('label'),
    outcome: text('outcome').notNull().$type<ScenarioCaseOutcome>(),
    report: jsonb('report').$type<CaseReport>(),
  },
  (table) => [primaryKey({ columns: [table.runId, table.position] })],
)
