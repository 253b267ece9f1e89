import { endpointNames, endpointRow, type EndpointName } from '#lib/contract/endpoints.ts'
import { textIn } from '#lib/shared/json.ts'

/** `POST /cards/lock` and the name of its endpoint, for every endpoint of the interface. */
export const endpointCalls: ReadonlyMap<string, EndpointName> = new Map(
  endpointNames.map((name) => {
    const { method, path } = endpointRow(name)
    return [`${method} ${path}`, name]
  }),
)

/** The endpoints whose success the interface calls 200, and whose response it shows. */
export const with200: ReadonlySet<EndpointName> = new Set([
  'waiveFee',
  'listFees',
  'simulateAuthorization',
  'simulateFullReversal',
  'simulateRepay',
  'setFixedLimit',
  'aggregateBalance',
  'quotePayout',
  'listPayoutBanks',
  'listPayouts',
  'getBank',
  'getRates',
  'unlockCard',
  'getCardSensitiveInfo',
  'setXmetadata',
  'removeWebhook',
  'listWebhookStats',
])

/** The calls of the built-in sandbox's control plane (docs/sandbox.md). */
export const controlCalls = [
  'GET /state',
  'GET /clock',
  'POST /clock',
  'GET /due-work',
  'GET /performed-work',
  'GET /contents',
  'GET /products',
  'POST /reset',
  'GET /faults',
  'POST /faults',
  'DELETE /faults',
  'GET /modes',
  'POST /modes',
  'DELETE /modes',
  'POST /credits',
  'POST /charges',
  'POST /captures',
  'POST /reversals',
  'POST /disputes',
  'POST /fees',
  'POST /cards/set',
  'POST /funding-accounts/top-up',
  'GET /events',
  'POST /events',
  'POST /pings',
  'GET /deliveries',
  'GET /deliveries/attempt',
  'GET /deliveries/queue',
  'POST /deliveries/retry',
  'POST /deliveries/skip',
  'POST /deliveries/replay',
  'POST /deliveries/replay-since',
  'POST /deliveries/sign',
  'GET /requests',
  'GET /rates',
  'GET /snapshots',
  'POST /snapshots',
  'DELETE /snapshots',
  'POST /snapshots/restore',
  'GET /sandboxes',
  'POST /sandboxes',
  'DELETE /sandboxes',
  'GET /webhook-key',
] as const

/** The record that a step created. */
export type CreatedRecord = { kind: string; id: string }

/**
 * What a call creates: the kind of its record, null where it is none of the interface, the field of the response with its id, and
 * the variable that a recorded scenario saves the id in.
 */
type Creation = { kind: string | null; field: string; variable: string }

const creatingCalls: Readonly<Record<string, Creation>> = {
  'call POST /cardaccounts': { kind: 'card account', field: 'id', variable: 'cardAccountId' },
  'call POST /cards': { kind: 'card', field: 'id', variable: 'cardId' },
  'call POST /cards/simulate-authorization': {
    kind: 'card transaction',
    field: 'cardTransactionId',
    variable: 'transactionId',
  },
  'call POST /payouts/quote': { kind: 'quote', field: 'id', variable: 'quoteId' },
  'call POST /payouts': { kind: 'payout', field: 'id', variable: 'payoutId' },
  'call POST /webhooks': { kind: 'webhook', field: 'id', variable: 'webhookId' },
  'control POST /credits': { kind: 'card transaction', field: 'id', variable: 'transactionId' },
  'control POST /charges': { kind: 'card transaction', field: 'id', variable: 'transactionId' },
  'control POST /fees': { kind: 'fee', field: 'id', variable: 'feeId' },
  'control POST /faults': { kind: null, field: 'id', variable: 'faultId' },
  'control POST /snapshots': { kind: null, field: 'id', variable: 'snapshotId' },
}

/** What a call creates; undefined where it creates nothing. */
export function findCreation(kind: 'call' | 'control', call: string): Creation | undefined {
  return creatingCalls[`${kind} ${call}`]
}

/** The record that a successful response created; null where the call creates none. */
export function createdBy(kind: 'call' | 'control', call: string, body: unknown): CreatedRecord | null {
  const creation = findCreation(kind, call)
  const id = creation && textIn(body, creation.field)
  return creation?.kind && id ? { kind: creation.kind, id } : null
}
