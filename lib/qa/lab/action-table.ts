import 'server-only'
import type { LabActionName } from '#lib/api/lab.ts'
import type { EndpointName } from '#lib/contract/endpoints.ts'
import { readOneAccount } from '#lib/index/account.ts'
import type { Change } from '#lib/live/types.ts'
import { asFields, textIn } from '#lib/shared/json.ts'
import { logFailure } from '#lib/shared/log.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { minuteMs } from '#lib/shared/time.ts'

/** JSON that a browser sent for an action, or that the control plane returned. */
export type Given = Readonly<Record<string, unknown>>

export type LabAction = {
  /** The endpoint of the control plane. Left out: the interface has the action, and is called. */
  path?: `/${string}`
  /** POST where it is left out. The query of a DELETE is the `id` of the input. */
  method?: 'DELETE'
  /** Fields of the input that the control plane does not take. */
  without?: readonly string[]
  /**
   * The simulator of the interface: it is called where the sandbox has no control plane. `fields` of the input are sent, under
   * another name where `names` has one.
   */
  simulator?: { endpoint: EndpointName; fields: readonly string[]; names?: Readonly<Record<string, string>> }
  /** The time limit of an action that takes longer than the others. */
  timeoutMs?: number
  /** The object of the action for the audit log: the field of `given` with the id, and the object's type. */
  target?: { type: string; field: string }
  /** The text of the audit entry where no record is named. */
  comment?: (given: Given) => string | null
  changes: (given: Given, response: Given) => Change[]
  /** Brings the index up to date where lists show what changed, and the service may send no event. Never throws. */
  readBack?: (environment: Environment, given: Given) => Promise<void>
  /** Replaces all records of the sandbox, so the console reads its index again. */
  replacesEverything?: true
  /** The call goes to the control plane of the shared sandbox, whichever sandbox the lab acts on. */
  isShared?: true
  /** Only built-in sandboxes have it: for another service's the console has a page, with its own permission. */
  isBuiltIn?: true
}

function accountChange(id: string | null): Change[] {
  return id === null ? [] : [{ type: 'cardaccount', id }]
}

async function readBackAccount(environment: Environment, id: string | null): Promise<void> {
  if (id === null) return
  await readOneAccount(environment, id).catch((error: unknown) =>
    logFailure(error, { while: 'reading an account after a simulation' }),
  )
}

const ofTransaction = (_: Given, response: Given): Change[] =>
  accountChange(textIn(response, 'cardAccountId') ?? textIn(recordIn(response, 'transaction'), 'cardAccountId'))

export function recordIn(given: Given, field: string): Given {
  return asFields(given[field])
}

/** The ids in a field that holds one or many. */
export function idsIn(given: Given, field: string): string[] {
  return [given[field]].flat().filter((id) => typeof id === 'string')
}

const lab: Change[] = [{ type: 'lab' }]
const everything: Change[] = [
  { type: 'cardaccounts' },
  { type: 'fees' },
  { type: 'payouts' },
  { type: 'funding-accounts' },
  { type: 'webhooks' },
  { type: 'rates' },
  ...lab,
]
const longMs = 10 * minuteMs

/** Everything that the QA lab can do to the sandbox, by the name under which it is audited (`lab.…`). */
export const labControls = {
  charge: {
    path: '/charges',
    simulator: { endpoint: 'simulateAuthorization', fields: ['cardAccountId', 'cardId', 'amount', 'currency', 'opts'] },
    target: { type: 'card', field: 'cardId' },
    changes: (given) => accountChange(textIn(given, 'cardAccountId')),
  },
  capture: {
    path: '/captures',
    without: ['cardAccountId'],
    target: { type: 'transaction', field: 'transactionId' },
    changes: ofTransaction,
  },
  reverse: {
    path: '/reversals',
    without: ['cardAccountId'],
    simulator: {
      endpoint: 'simulateFullReversal',
      fields: ['cardAccountId', 'transactionId'],
      names: { transactionId: 'cardTransactionId' },
    },
    target: { type: 'transaction', field: 'transactionId' },
    changes: ofTransaction,
  },
  credit: {
    path: '/credits',
    target: { type: 'cardaccount', field: 'cardAccountId' },
    changes: ofTransaction,
  },
  repay: {
    simulator: { endpoint: 'simulateRepay', fields: ['cardAccountIds'] },
    target: { type: 'cardaccount', field: 'cardAccountIds' },
    comment: (given) => {
      const ids = idsIn(given, 'cardAccountIds')
      return ids.length > 1 ? `${ids.length} card accounts: ${ids.join(', ')}` : null
    },
    changes: (given) => idsIn(given, 'cardAccountIds').flatMap(accountChange),
  },
  'decide-identity': {
    simulator: {
      endpoint: 'simulateClientIdentityStatus',
      fields: ['cardAccountId', 'action', 'rejectedReason', 'rejectionAdditionalInfo'],
    },
    target: { type: 'cardaccount', field: 'cardAccountId' },
    readBack: (environment, given) => readBackAccount(environment, textIn(given, 'cardAccountId')),
    changes: (given) => accountChange(textIn(given, 'cardAccountId')),
  },
  'add-webhook': {
    isBuiltIn: true,
    simulator: { endpoint: 'createWebhook', fields: ['url', 'events', 'name'] },
    comment: (given) => textIn(given, 'url'),
    changes: () => [{ type: 'webhooks' }],
  },
  'remove-webhook': {
    isBuiltIn: true,
    simulator: { endpoint: 'removeWebhook', fields: ['webhookId'] },
    target: { type: 'webhook', field: 'webhookId' },
    changes: () => [{ type: 'webhooks' }],
  },
  fee: {
    path: '/fees',
    target: { type: 'cardaccount', field: 'cardAccountId' },
    changes: (given) => [...accountChange(textIn(given, 'cardAccountId')), { type: 'fees' }],
  },
  dispute: {
    path: '/disputes',
    without: ['cardAccountId'],
    target: { type: 'transaction', field: 'transactionId' },
    changes: ofTransaction,
  },
  'top-up': {
    path: '/funding-accounts/top-up',
    target: { type: 'account', field: 'accountId' },
    changes: () => [{ type: 'funding-accounts' }],
  },
  event: {
    path: '/events',
    comment: (given) => textIn(given, 'event'),
    changes: () => [{ type: 'webhooks' }],
  },
  advance: {
    path: '/clock',
    timeoutMs: longMs,
    comment: (given) => textIn(given, 'advance'),
    changes: () => everything,
  },
  'arm-fault': {
    path: '/faults',
    comment: (given) => [textIn(given, 'method'), textIn(given, 'path')].filter(Boolean).join(' '),
    changes: () => lab,
  },
  'remove-fault': {
    method: 'DELETE',
    path: '/faults',
    comment: ({ id }) => (id === undefined ? 'All faults' : `Fault ${String(id)}`),
    changes: () => lab,
  },
  'reset-modes': { method: 'DELETE', path: '/modes', changes: () => lab },
  'take-snapshot': {
    path: '/snapshots',
    timeoutMs: longMs,
    comment: (given) => textIn(given, 'name'),
    changes: () => lab,
  },
  'delete-snapshot': {
    method: 'DELETE',
    path: '/snapshots',
    comment: (given) => textIn(given, 'id'),
    changes: () => lab,
  },
  'restore-snapshot': {
    path: '/snapshots/restore',
    timeoutMs: longMs,
    comment: (given) => textIn(given, 'id'),
    changes: () => everything,
    replacesEverything: true,
  },
  'make-sandbox': {
    path: '/sandboxes',
    timeoutMs: longMs,
    isShared: true,
    comment: (given) => textIn(given, 'from'),
    changes: () => lab,
  },
  'delete-sandbox': {
    method: 'DELETE',
    path: '/sandboxes',
    isShared: true,
    comment: (given) => textIn(given, 'id'),
    changes: () => lab,
  },
  reset: {
    path: '/reset',
    timeoutMs: longMs,
    changes: () => everything,
    replacesEverything: true,
  },
} as const satisfies Record<LabActionName, LabAction>
