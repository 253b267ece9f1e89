import 'server-only'
import { accountOperations } from '../../card-accounts/operations.ts'
import { issuingOperations } from '../../cards/issue.ts'
import { cardOperations } from '../../cards/operations.ts'
import { feeOperations } from '../../fees/operations.ts'
import { identityOperations } from '../../identity/operations.ts'
import { limitOperations } from '../../limits/operations.ts'
import { payoutOperations } from '../../payouts/operations.ts'
import { referenceOperations } from '../../references/operations.ts'
import { webhookOperations } from '../../webhooks/operations.ts'
import type { OperationKind } from './kinds.ts'
import type { OperationSpec } from './spec.ts'

/** The server side of every kind of operation. */
export const operationTable = {
  ...accountOperations,
  ...cardOperations,
  ...issuingOperations,
  ...feeOperations,
  ...identityOperations,
  ...limitOperations,
  ...payoutOperations,
  ...referenceOperations,
  ...webhookOperations,
} satisfies Record<OperationKind, OperationSpec>

/** The row of a kind; a journal may hold kinds that this version does not know. */
export function specOf(kind: string): OperationSpec | undefined {
  return Object.hasOwn(operationTable, kind) ? operationTable[kind as OperationKind] : undefined
}
