import 'server-only'
import type { OperationKind } from '#lib/api/actions.ts'
import { registerOperations } from '#lib/operations/registry.ts'
import type { OperationSpec } from '#lib/operations/spec.ts'
import { accountOperations } from './card-accounts/operations.ts'
import { issuingOperations } from './cards/issue.ts'
import { cardOperations } from './cards/operations.ts'
import { replacingOperations } from './cards/replace.ts'
import { feeOperations } from './fees/operations.ts'
import { identityOperations } from './identity/operations.ts'
import { limitOperations } from './limits/operations.ts'
import { payoutOperations } from './payouts/operations.ts'
import { referenceOperations } from './references/operations.ts'
import { webhookOperations } from './webhooks/operations.ts'

/** The server side of every kind of operation. */
export const operationTable = {
  ...accountOperations,
  ...cardOperations,
  ...issuingOperations,
  ...replacingOperations,
  ...feeOperations,
  ...identityOperations,
  ...limitOperations,
  ...payoutOperations,
  ...referenceOperations,
  ...webhookOperations,
} satisfies Record<OperationKind, OperationSpec>

registerOperations(operationTable)
