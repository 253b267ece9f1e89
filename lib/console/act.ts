import 'server-only'
import type { z } from 'zod'
import { performAction } from '#lib/operations/act.ts'
import type { OperationKind } from '#lib/operations/kinds.ts'
import type { ActionResult } from '#lib/operations/types.ts'
import type { operationTable } from './operation-table.ts'
import './operation-table.ts'

type Table = typeof operationTable
export type InputOf<Kind extends OperationKind> = z.input<Table[Kind]['input']>
/** The record that an operation of the kind reads back. */
export type RecordOf<Kind extends OperationKind> = NonNullable<Awaited<ReturnType<Table[Kind]['readBack']>>['record']>

/** Performs an operation of a resource. The input is unchecked, whatever its type says. */
export async function act<Kind extends OperationKind>(
  kind: Kind,
  input: InputOf<Kind>,
): Promise<ActionResult<RecordOf<Kind>>> {
  return performAction(kind, input) as Promise<ActionResult<RecordOf<Kind>>>
}
