import type { Permission } from '#lib/auth/permissions.ts'
import type { Reason } from '#lib/shared/reasons.ts'
import type { ByValue, Needs } from './read.ts'

/** An action of a person: what it is. Its body, with the schema of its input, is beside the resource. */
export type ActionDefinition = {
  needs: Needs
  /** See `ReadDefinition.lab`. */
  lab?: 'built-in'
  /** About staff or a person's own account, in no environment; its permission is that of the sandbox. */
  isGlobal?: true
  /** Its code in the audit log, or a code by a field of the input. Absent: not audited. An operation's is its name. */
  act?: string | ByValue<{ act: string; label?: string }>
  /** The action of a person: a button's label, and what the audit log calls it. */
  label?: string
  /** The topics of the reads that show it, which the screen refetches once it is done; `everything` in the environment. */
  changes?: readonly string[] | 'everything'
}

/** An action that sends a request to the service, with its journal and outcome. Its name is the kind that the journal stores. */
export type OperationDefinition = ActionDefinition & {
  needs: Permission
  /** The noun of the operation's object. */
  noun: string
  label: string
  /** It creates a record: sent twice, it may create two, so a look-up decides whether it may be sent again. */
  creates?: true
  /** It moves money: a service without idempotency keys may count a second sending, so each sending is read back before the next. */
  movesMoney?: true
  /** Shown once the record confirms the change: a headline, and an explanation where it is needed. */
  done: string
  note?: string
  /** The reasons to choose from, and whether one has to be given. */
  reasons?: readonly Reason[]
  isReasonRequired?: true
  /** Messages for error codes or HTTP statuses of the service whose general message would mislead for this kind. */
  refused?: Record<string, { happened: string; next: string }>
}

/** Message for a 413 to a request that holds documents. */
export const fileTooLarge = {
  413: {
    happened: 'A document is too large for the card service.',
    next: 'Attach a smaller file of it, then submit again.',
  },
}

/** Definitions by name. A name with a dot is an operation's. */
export function defineActions<
  const Actions extends Readonly<Record<string, ActionDefinition> & Record<`${string}.${string}`, OperationDefinition>>,
>(actions: Actions): Actions {
  return actions
}
