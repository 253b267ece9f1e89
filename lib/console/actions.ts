import 'server-only'
import type { z } from 'zod'
import { type ActionName, type OperationKind, operationKinds } from '#lib/api/actions.ts'
import { operationAction } from '#lib/operations/act.ts'
import type { ActionResult } from '#lib/operations/types.ts'
import { labHandlers } from '#lib/qa/lab/api.ts'
import { reproduceHandlers } from '#lib/qa/reproduce/api.ts'
import { approvalHandlers } from './approvals/api.ts'
import { bulkHandlers } from './bulk/api.ts'
import { cardHandlers } from './cards/api.ts'
import { connectionHandlers } from './connection/api.ts'
import { embedHandlers } from './embed/api.ts'
import { homeHandlers } from './home-api.ts'
import { limitHandlers } from './limits/api.ts'
import { noteHandlers } from './notes/api.ts'
import { operationTable } from './operation-table.ts'
import { operationHandlers } from './operations/api.ts'
import { payoutHandlers } from './payouts/api.ts'
import { staffHandlers } from './staff/api.ts'
import { webhookHandlers } from './webhooks/api.ts'

type Operations = typeof operationTable
/** The record that an operation of the kind reads back. */
type RecordOf<Kind extends OperationKind> = NonNullable<Awaited<ReturnType<Operations[Kind]['readBack']>>['record']>

const operations = Object.fromEntries(
  operationKinds.map((kind) => [kind, operationAction(kind, operationTable[kind])]),
) as { [Kind in OperationKind]: (input: z.input<Operations[Kind]['input']>) => Promise<ActionResult<RecordOf<Kind>>> }

/** Every action under its name, behind the gate. Their inputs are unchecked, whatever their types say. */
export const actions = {
  ...operations,
  ...approvalHandlers,
  ...bulkHandlers,
  ...cardHandlers,
  ...connectionHandlers,
  ...embedHandlers,
  ...homeHandlers,
  ...labHandlers,
  ...limitHandlers,
  ...noteHandlers,
  ...operationHandlers,
  ...payoutHandlers,
  ...reproduceHandlers,
  ...staffHandlers,
  ...webhookHandlers,
} satisfies Record<ActionName, (input: never) => Promise<object>>

export type ActionInput<Name extends ActionName> = Parameters<(typeof actions)[Name]>[0]
export type ActionOutput<Name extends ActionName> = Awaited<ReturnType<(typeof actions)[Name]>>
