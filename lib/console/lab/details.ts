import 'server-only'
import { z } from 'zod'
import type { Endpoint } from '#lib/contract/endpoint.ts'
import { endpoints } from '#lib/contract/endpoints.ts'
import { responseFields } from '#lib/contract/response-fields.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { readControl, requireLab } from './lab.ts'
import type { FaultEndpoint } from './shapes.ts'

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
  createdAt: z.string(),
  now: z.string(),
  cardAccounts: z.number(),
  cards: z.number(),
  transactions: z.number(),
  sizeBytes: z.number(),
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

export async function readLabDetails(environment: Environment): Promise<LabDetails> {
  const { control } = await requireLab(environment)
  const [due, performed, contents, { snapshots }] = await Promise.all([
    readControl(control, `/due-work?limit=${listed}`, Work),
    readControl(control, `/performed-work?limit=${listed}`, Work),
    readControl(control, '/contents', z.record(z.string(), z.number())),
    readControl(control, '/snapshots', z.object({ snapshots: z.array(Snapshot) })),
  ])
  return { due, performed, contents, snapshots }
}

export async function readFaultEndpoints(environment: Environment): Promise<FaultEndpoint[]> {
  await requireLab(environment)
  return Object.values(endpoints as Record<string, Endpoint>).map((row) => ({
    method: row.method,
    path: row.path,
    summary: row.summary,
    fields: responseFields(row).map(({ path }) => path),
  }))
}
