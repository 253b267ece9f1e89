import { type Environment, routes } from '#lib/shared/routes.ts'

/** Whether the object of an operation exists: a payout to be made has the id of its quote, another record that of the operation. */
export function isMade(operationId: string, { type, id }: Named): boolean {
  return type !== 'payout' && id !== operationId
}

type Named = { type: string; id: string; parentId: string | null }

const pages = new Map<string, (environment: Environment, id: string) => string>([
  ['cardaccount', routes.cardAccount],
  ['card-account', routes.cardAccount],
  ['payout', routes.payout],
  ['fee', (environment, open) => routes.fees(environment, { open })],
  ['bulk-job', routes.bulkJob],
  ['approval', routes.approval],
  ['event', (environment, open) => routes.inbox(environment, { open })],
  ['request', (environment, open) => routes.requests(environment, { open })],
  ['audit-entry', (environment, open) => routes.audit(environment, { open })],
])

/** Pages of the records of a card account, by its id and theirs. */
const pagesOfAccount = new Map<string, (environment: Environment, cardAccountId: string, id: string) => string>([
  ['card', routes.card],
  ['transaction', routes.transaction],
])

/** Where a record is shown, by its type as operations and the audit trail name it; null where no page is its own. */
export function recordHref(environment: Environment, { type, id, parentId }: Named): string | null {
  const pageOfAccount = pagesOfAccount.get(type)
  if (pageOfAccount) return parentId === null ? null : pageOfAccount(environment, parentId, id)
  return pages.get(type)?.(environment, id) ?? null
}
