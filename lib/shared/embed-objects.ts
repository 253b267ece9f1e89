import { routes, type Environment } from './routes.ts'

/** What can be embedded. */
export const embedTypes = ['card-account', 'card', 'transaction', 'payout'] as const
export type EmbedType = (typeof embedTypes)[number]

/** One object of an environment. Cards and transactions are read through their card account, so they name it. */
export type EmbedObject = { environment: Environment; type: EmbedType; id: string; cardAccountId: string | null }

export function hasCardAccount(type: EmbedType): boolean {
  return type === 'card' || type === 'transaction'
}

/** The path of the object's page in the console. */
export function embedObjectPath({ environment, type, id, cardAccountId }: EmbedObject): string {
  if (type === 'card-account') return routes.cardAccount(environment, id)
  if (type === 'payout') return routes.payout(environment, id)
  const ofAccount = type === 'card' ? routes.card : routes.transaction
  return ofAccount(environment, cardAccountId ?? '', id)
}
