import 'server-only'
import { and, eq, isNull } from 'drizzle-orm'
import { z } from 'zod'
import { requireCurrentStaff } from '#lib/auth/session.ts'
import type { Endpoint } from '#lib/contract/endpoint.ts'
import { endpoints } from '#lib/contract/endpoints.ts'
import { responseFields } from '#lib/contract/response-fields.ts'
import { database } from '#lib/db/connection.ts'
import { scenarioRecordings } from '#lib/qa/tables.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { secondMs } from '#lib/shared/time.ts'
import { type LabSearch, readControl, requireControl, sandboxIn } from './control.ts'
import type { FaultEndpoint } from './types.ts'

/** A fault as the control plane lists it. */
const Fault = z.object({
  id: z.number(),
  path: z.string(),
  method: z.string().optional(),
  status: z.number().optional(),
  code: z.string().optional(),
  shape: z.looseObject({ kind: z.string(), at: z.string().optional() }).optional(),
  times: z.union([z.number(), z.string()]),
  after: z.boolean(),
  delayMs: z.number(),
  background: z.boolean(),
})

const State = z.object({
  now: z.iso.datetime(),
  isFrozen: z.boolean(),
  faults: z.array(Fault),
  modes: z.record(z.string(), z.union([z.string(), z.boolean()])),
})

/**
 * The state in which the sandbox differs from a fresh one. `aheadMs` is how far its clock is ahead of real time,
 * negative behind it; `isFrozen`: it stands at `now`. `modes` has every mode with its value. `isRecording`: what this person does in the shared sandbox is recorded.
 */
type LabState = z.output<typeof State> & { aheadMs: number; isRecording: boolean }

const stateTimeoutMs = 2 * secondMs

/** The state of the sandbox, for everybody who is signed in: every page shows it. */
export async function readLabState(environment: Environment, search?: LabSearch): Promise<LabState> {
  const { staff } = await requireCurrentStaff()
  const sandbox = sandboxIn(search)
  const [state, isRecording] = await Promise.all([
    readControl(requireControl(environment, sandbox), '/state', State, stateTimeoutMs),
    sandbox === null && hasOpenRecording(staff.id),
  ])
  return { ...state, aheadMs: Date.parse(state.now) - Date.now(), isRecording }
}

async function hasOpenRecording(staffId: string): Promise<boolean> {
  const { staffId: person, stoppedAt } = scenarioRecordings
  const open = database()
    .select({ person })
    .from(scenarioRecordings)
    .where(and(eq(person, staffId), isNull(stoppedAt)))
  return (await open).length > 0
}

const WorkItem = z.object({
  kind: z.string(),
  dueAt: z.string(),
  cardAccountId: z.string().optional(),
  cardId: z.string().optional(),
  transactionId: z.string().optional(),
  payoutId: z.string().optional(),
  webhookId: z.string().optional(),
})
/** A piece of work of the sandbox that is due or was performed, with the ids of what it is about. */
type WorkItem = z.output<typeof WorkItem>

const Work = z.object({ work: z.array(WorkItem), hasMore: z.boolean() })

const Snapshot = z.object({
  id: z.string(),
  name: z.string(),
  now: z.string(),
  cardAccounts: z.number(),
  transactions: z.number(),
})
type LabSnapshot = z.output<typeof Snapshot>

/** The due work and the events of the sandbox, its size, and its snapshots. */
type LabDetails = {
  due: z.output<typeof Work>
  performed: z.output<typeof Work>
  /** Records by kind: `cardAccounts`, `transactions` … and `seededCardAccounts`, the accounts that a reset brings. */
  contents: Record<string, number>
  snapshots: LabSnapshot[]
}

const listed = 8

export async function readLabDetails(environment: Environment, search?: LabSearch): Promise<LabDetails> {
  const control = requireControl(environment, sandboxIn(search))
  const [due, performed, contents, { snapshots }] = await Promise.all([
    readControl(control, `/due-work?limit=${listed}`, Work),
    readControl(control, `/performed-work?limit=${listed}`, Work),
    readControl(control, '/contents', z.record(z.string(), z.number())),
    readControl(control, '/snapshots', z.object({ snapshots: z.array(Snapshot) })),
  ])
  return { due, performed, contents, snapshots }
}

export async function readFaultEndpoints(_environment: Environment): Promise<FaultEndpoint[]> {
  return Object.values(endpoints as Record<string, Endpoint>).map((row) => ({
    method: row.method,
    path: row.path,
    summary: row.summary,
    fields: responseFields(row).map(({ path }) => path),
  }))
}
