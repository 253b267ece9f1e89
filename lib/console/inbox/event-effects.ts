import 'server-only'
import { readOneAccount, storedAccountId } from '#lib/index/account.ts'
import { readCards } from '#lib/index/cards-sync.ts'
import type { Change } from '#lib/live/types.ts'
import { isAppError } from '#lib/shared/app-error.ts'
import type { Environment } from '#lib/shared/routes.ts'
import type { inboxEvents } from '#lib/tables/inbox.ts'
import { fetchIdentity } from '../identity/rejections.ts'

/** A stored event that is not applied yet. */
export type OpenEvent = Pick<
  typeof inboxEvents.$inferSelect,
  'position' | 'environment' | 'event' | 'cardAccountId' | 'cardId' | 'payoutId'
>

/**
 * An event is a hint: its record is read from the service, and the response is written to the index. Returns the account's id as the
 * service sent it.
 */
export async function readBack(
  environment: Environment,
  cardAccountId: string,
  events: readonly OpenEvent[],
): Promise<string> {
  // The count of its cards is in the account's row, which has to be there first.
  const storedId = await storedAccountId(environment, cardAccountId)
  const id = storedId ?? (await readOneAccount(environment, cardAccountId)).account.id
  await Promise.all([
    storedId && events.some((event) => !isAboutCardAlone(event)) ? readOneAccount(environment, id) : null,
    events.some(concernsCards) ? readCards(environment, id) : null,
  ])
  if (events.some(isDecision)) await readIdentity(environment, id)
  return id
}

function isDecision({ event }: OpenEvent): boolean {
  return event.startsWith('cardaccount.client-identity.')
}

/** A service that does not provide identities must not hold up its events. */
async function readIdentity(environment: Environment, cardAccountId: string): Promise<void> {
  try {
    await fetchIdentity(environment, cardAccountId)
  } catch (error) {
    if (!isAppError(error) || error.code === 'SERVICE_UNREACHABLE') throw error
  }
}

/** Issuing a card or changing its status moves no money: its account is not read again. */
function isAboutCardAlone({ event }: OpenEvent): boolean {
  return event === 'card.updated'
}

/** A new account has no cards, which is worth knowing too: until they were read, their number is unknown. */
function concernsCards(event: OpenEvent): boolean {
  return isAboutCardAlone(event) || event.cardId !== null || event.event === 'cardaccount.created'
}

/** Changes of records outside card accounts: payouts, funding accounts, webhooks. */
const others: [prefix: string, change: Change][] = [
  ['payout.', { type: 'payouts' }],
  ['account.', { type: 'funding-accounts' }],
  ['ping', { type: 'webhooks' }],
]

/** The changes that open pages have to refetch after an event. */
export function listChanges(open: OpenEvent): Change[] {
  const { event, cardAccountId, cardId } = open
  const card: Change[] = cardAccountId && cardId ? [{ type: 'card', id: cardId, cardAccountId }] : []
  const isCovered = card.length > 0 && isAboutCardAlone(open)
  return [
    ...(cardAccountId && !isCovered ? [{ type: 'cardaccount' as const, id: cardAccountId }] : []),
    ...card,
    ...others.filter(([prefix]) => event.startsWith(prefix)).map(([, change]) => change),
    { type: 'inbox' },
  ]
}
