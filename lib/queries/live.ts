import type { QueryKey } from '@tanstack/react-query'
import type { Change } from '#lib/console/desk/live/change.ts'
import type { Environment } from '#lib/shared/routes.ts'

/** Lists and totals that any change of an account or of its cards may show in. */
const aggregates = [
  ['card-accounts', 'list'],
  ['card-accounts', 'aggregate-balances'],
  ['overview'],
] as const satisfies QueryKey[]

function keysOfAccount(id: string): QueryKey[] {
  return [['card-accounts', 'transactions', id], ['card-accounts', 'balance', id], ['fees'], ...keysOfItsCards(id)]
}

/** A card whose status changes moves no money. */
function keysOfItsCards(id: string): QueryKey[] {
  return [['card-accounts', 'detail', id], ...aggregates]
}

type KeysOf = { [Type in Change['type']]: (change: Extract<Change, { type: Type }>) => QueryKey[] }

const keysOf: KeysOf = {
  card: ({ id, cardAccountId }) => [['cards', 'detail', cardAccountId, id], ...keysOfItsCards(cardAccountId)],
  // A card's page shows its account's balance and its own limits.
  cardaccount: ({ id }) => [
    ['cards', 'detail', id],
    ['identity', 'detail', id],
    ['identity', 'list'],
    ...keysOfAccount(id),
  ],
  cardaccounts: () => [['card-accounts'], ['cards'], ['identity'], ['overview']],
  fees: () => [['fees']],
  rates: () => [['rates']],
  'bulk-job': ({ id }) => [
    ['bulk-jobs', 'detail', id],
    ['bulk-jobs', 'list'],
  ],
  payouts: () => [['payouts'], ['funding-accounts'], ['overview']],
  accounts: () => [['funding-accounts']],
  operation: ({ id }) => [['operations', id], ['audit'], ['requests'], ['overview']],
  inbox: () => [['webhooks', 'inbox']],
  webhooks: () => [['webhooks']],
  lab: () => [['lab']],
}

/** The reads that a change makes stale, each once, without the environment that they all begin with. */
export function staleKeys(environment: Environment, about: readonly Change[]): QueryKey[] {
  const keys = about.flatMap((change) => {
    const find = Object.hasOwn(keysOf, change.type) ? (keysOf[change.type] as (change: Change) => QueryKey[]) : null
    return find ? find(change) : []
  })
  return [...new Map(keys.map((key) => [JSON.stringify(key), [environment, ...key]])).values()]
}
