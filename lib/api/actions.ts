import type { ActionDefinition, OperationDefinition } from './action.ts'
import { approvalActions } from './approvals.ts'
import { bulkActions } from './bulk.ts'
import { cardAccountActions } from './card-accounts.ts'
import { programCardActions } from './cards.ts'
import { connectionActions } from './connection.ts'
import { embedActions } from './embed.ts'
import { feeActions } from './fees.ts'
import { homeActions } from './home.ts'
import { identityActions } from './identity.ts'
import { labActions } from './lab.ts'
import { limitActions } from './limits.ts'
import { noteActions } from './notes.ts'
import { operationActions } from './operations.ts'
import { payoutActions } from './payouts.ts'
import type { ReadTopic } from './reads.ts'
import { referenceActions } from './references.ts'
import { reproduceActions } from './reproduce.ts'
import { staffActions } from './staff.ts'
import { webhookActions } from './webhooks.ts'

/** Every action under its name. A resource has its rows in a file of its own, and their bodies in `lib/console/<resource>/api.ts`. */
const actionDefinitions = {
  ...approvalActions,
  ...bulkActions,
  ...cardAccountActions,
  ...programCardActions,
  ...connectionActions,
  ...embedActions,
  ...feeActions,
  ...homeActions,
  ...identityActions,
  ...labActions,
  ...limitActions,
  ...noteActions,
  ...operationActions,
  ...payoutActions,
  ...referenceActions,
  ...reproduceActions,
  ...staffActions,
  ...webhookActions,
} satisfies Record<string, ActionDefinition & { changes?: readonly ReadTopic[] | 'everything' }>

export type ActionName = keyof typeof actionDefinitions
/** The actions that send a request to the service. Their names are what the journal and the audit log store. */
export type OperationKind = Extract<ActionName, `${string}.${string}`>

export function actionDefinition(name: ActionName): ActionDefinition {
  return actionDefinitions[name]
}

export const actionNames = Object.keys(actionDefinitions) as ActionName[]

export const operationKinds = actionNames.filter((name): name is OperationKind => name.includes('.'))

export function operationDefinition(kind: OperationKind): OperationDefinition {
  return actionDefinitions[kind]
}

/** The definition of a kind; a journal may hold kinds that this version does not know. */
export function findOperationDefinition(kind: string): OperationDefinition | undefined {
  return operationKinds.some((known) => known === kind) ? operationDefinition(kind as OperationKind) : undefined
}

/** The codes that an action may have in the audit log, with their names where they have any. The first is that of an unknown input. */
export function auditedActs(name: ActionName): readonly { act: string; label?: string | undefined }[] {
  const { act = name.includes('.') ? name : undefined, label } = actionDefinition(name)
  if (act === undefined) return []
  return typeof act === 'string' ? [{ act, label }] : Object.values(act.of)
}

/** The issues of an operation's reason, by field; empty where there are none. */
export function reasonIssues(
  kind: OperationKind,
  { reason, comment }: { reason?: string | undefined; comment?: string | undefined },
  isRequired = operationDefinition(kind).isReasonRequired ?? false,
): Record<string, string> {
  const { reasons = [] } = operationDefinition(kind)
  if (reason && !reasons.some((one) => one === reason)) return { reason: 'must be one of the listed reasons' }
  if (isRequired && !reason) return { reason: 'must be given' }
  if (reason === 'other' && !comment) return { comment: 'must say what the reason is' }
  return {}
}
