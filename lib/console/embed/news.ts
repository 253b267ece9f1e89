import 'server-only'
import { awaitChange } from '#lib/live/await-change.ts'
import { type FeedRow, listRowsAfter } from '#lib/live/feed.ts'
import type { Change } from '#lib/live/types.ts'
import { globalSingleton } from '#lib/shared/global-singleton.ts'
import { sameId } from '#lib/shared/ids.ts'
import { secondMs } from '#lib/shared/time.ts'
import type { Authorized } from './authorize.ts'
import { readPulse } from './pulse.ts'

/** How long a response waits for a change. A token that ends meanwhile is noticed this late. */
const longestWaitMs = 4 * secondMs
/** The service's state, which no change announces, is asked for this often while a response waits. */
const pulseMs = 2 * secondMs
/** Responses that wait, in this process. Beyond them a response comes at once, and its frame asks again after a while. */
const mostWaiting = 300
const waiting = globalSingleton<{ count: number }>('carddeskEmbedWaiting', () => ({ count: 0 }))

const longestPoll = 200

/** State that the frame shows: everything up to the change `after`, with the service in the state `pulse`; null: in any. */
export type Known = { after: number; pulse: string | null }

/** Whether the view may show something that its frame does not know. With a signal, it waits for that, until the signal is aborted. */
export async function hasNews(claims: Authorized, known: Known, signal: AbortSignal | null): Promise<boolean> {
  const { environment } = claims.opened
  const check = async () =>
    ![null, await readPulse(environment)].includes(known.pulse) ||
    hasChanged(claims, await listRowsAfter(known.after, longestPoll))
  if (signal === null || waiting().count >= mostWaiting) return check()
  waiting().count += 1
  try {
    const concerns = (row: FeedRow) => hasChanged(claims, [row])
    return await awaitChange(check, { ms: longestWaitMs, everyMs: pulseMs, signal, concerns })
  } finally {
    waiting().count -= 1
  }
}

/** Whether the view may show one of these changes; also where there are too many to list. */
function hasChanged({ customer, ticketOrigin, opened }: Authorized, rows: readonly FeedRow[]): boolean {
  const { environment, type, id, cardAccountId } = opened
  const about = rows.filter((row) => row.environment === environment).flatMap((row) => row.about)
  const accountIds = type === 'customer' && customer ? customer.cardAccountIds : [cardAccountId ?? id]
  const isOfRequests = ({ type: changed }: Change) => ticketOrigin !== undefined && requestChanges.has(changed)
  return (
    rows.length === longestPoll || about.some((change) => isOfRequests(change) || concerns(type, accountIds, change))
  )
}

/** Changes after which the requests of a ticket are read again. */
const requestChanges: ReadonlySet<Change['type']> = new Set(['approvals', 'operation', 'notes', 'policy'])

function concerns(type: Authorized['opened']['type'], accountIds: readonly string[], change: Change): boolean {
  if (type === 'payout') return change.type === 'payouts'
  const isOwn = (id: string) => accountIds.some((one) => sameId(one, id))
  if (change.type === 'card') return isOwn(change.cardAccountId)
  return change.type === 'cardaccounts' || (change.type === 'cardaccount' && isOwn(change.id))
}
