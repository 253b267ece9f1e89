import 'server-only'
import { randomUUID } from 'node:crypto'
import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { database } from '#lib/db/connection.ts'
import { backOff, claimDue, inSeconds } from '#lib/db/queue.ts'
import { inTransaction } from '#lib/db/transaction.ts'
import { inBackground } from '#lib/environments/background.ts'
import { storedAccountId } from '#lib/index/account.ts'
import { inParallel } from '#lib/index/in-parallel.ts'
import { publish, writeChanges } from '#lib/live/publish.ts'
import { isAppError, nullOn } from '#lib/shared/app-error.ts'
import { globalSingleton } from '#lib/shared/global-singleton.ts'
import { sameId } from '#lib/shared/ids.ts'
import { logFailure } from '#lib/shared/log.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { storableText } from '#lib/shared/texts.ts'
import { indexedCards } from '#lib/tables/card-accounts.ts'
import { inboxEvents } from '#lib/tables/inbox.ts'
import { applyPayoutEvents } from '../payouts/apply-payout-events.ts'
import { listChanges, readBack, type OpenEvent } from './event-effects.ts'
import { applyTransactionEvents } from './transaction-events.ts'

const atOnce = 200
/** Accounts that are read back side by side. */
const readersAtOnce = 4
const leaseSeconds = 30

/** An event that is applied within this time is published once, as applied; one that takes longer is shown as waiting. */
const soonMs = 300

type Applying = {
  running: Promise<void> | null
  isRoundWanted: boolean
  isStopping: boolean
  unpublished: Set<Environment>
}
const state = globalSingleton<Applying>('carddeskApplying', () => ({
  running: null,
  isRoundWanted: false,
  isStopping: false,
  unpublished: new Set(),
}))

/** Applies waiting events in the background: one round at a time in this process. */
export function applySoon(environment: Environment): void {
  const applying = state()
  if (applying.isStopping) return
  applying.isRoundWanted = true
  applying.unpublished.add(environment)
  applying.running ??= applyUntilDone(applying)
    .catch((error: unknown) => logFailure(error, { while: 'applying events' }))
    .finally(() => (applying.running = null))
}

async function applyUntilDone(applying: Applying): Promise<void> {
  const slowly = setInterval(() => {
    for (const environment of applying.unpublished) publish(environment, [{ type: 'inbox' }])
    applying.unpublished.clear()
  }, soonMs)
  try {
    while (applying.isRoundWanted && !applying.isStopping) {
      applying.isRoundWanted = false
      await applyInbox()
    }
  } finally {
    clearInterval(slowly)
    applying.unpublished.clear()
  }
}

/** Waits for the application under way in this process. */
export async function applyingDone(): Promise<void> {
  await state().running
}

/**
 * Stops after the batch that is being applied, and waits for its end. The rest of a long queue is stored: the next
 * process applies it.
 */
export async function stopApplying(): Promise<void> {
  state().isStopping = true
  await applyingDone()
}

/** Applies every event that is due, whichever process received it. */
export function applyInbox(): Promise<void> {
  return inBackground(applyDue)
}

async function applyDue(): Promise<void> {
  while (!state().isStopping) {
    const leaseHolder = randomUUID()
    const taken = await takeDue(leaseHolder)
    if (taken.length === 0) return
    const subjects = Object.values(
      Object.groupBy(taken, ({ environment, cardAccountId, payoutId }) =>
        `${environment} ${cardAccountId} ${payoutId}`.toLowerCase(),
      ),
    )
    await inParallel(subjects, readersAtOnce, (events = []) => applyTogether(events, leaseHolder))
  }
}

/**
 * Takes due events for this process until the lease ends. One that died in the middle leaves them to the next; one
 * that was only slow finds them applied.
 */
async function takeDue(leaseHolder: string): Promise<OpenEvent[]> {
  const { position, appliedAt, nextAttemptAt, attempts } = inboxEvents
  const rows = await claimDue(database(), inboxEvents, {
    key: [position],
    due: sql`${appliedAt} is null and ${nextAttemptAt} <= clock_timestamp()`,
    order: sql`${position}`,
    limit: atOnce,
    set: { leaseHolder, attempts: sql`${attempts} + 1`, nextAttemptAt: inSeconds(leaseSeconds) },
    without: ['body'],
  })
  return rows.toSorted((one, other) => one.position - other.position)
}

/**
 * Events about one account or payout: the record is read back once, after the last of them was stored, and applies to
 * all.
 */
async function applyTogether(events: readonly OpenEvent[], leaseHolder: string): Promise<void> {
  const [first] = events
  if (!first) return
  const positions = events.map(({ position }) => position)
  const { environment, cardAccountId, payoutId } = first
  try {
    // Where the service does not know the account any more, the read deletes it from the index.
    if (cardAccountId) {
      const accountId = await nullOn(readBack(environment, cardAccountId, events), 'CARD_ACCOUNT_NOT_FOUND')
      if (accountId !== null) await applyTransactionEvents(environment, accountId, positions)
    }
    if (payoutId) await applyPayoutEvents(environment, payoutId, positions)
    await finish(environment, positions, leaseHolder, await withStoredIds(environment, events))
  } catch (error) {
    const problem = isAppError(error) ? error.message : 'The console failed.'
    if (!isAppError(error)) logFailure(error, { while: 'applying an event' })
    await postpone(positions, leaseHolder, problem)
    publish(environment, [{ type: 'inbox' }])
  }
}

/** Events about one account, under its id and its cards' ids in the index, by which open pages know them. */
async function withStoredIds(environment: Environment, events: readonly OpenEvent[]): Promise<OpenEvent[]> {
  const given = events[0]?.cardAccountId ?? null
  const cardAccountId = given && ((await storedAccountId(environment, given)) ?? given)
  const cardIds = [...new Set(events.flatMap(({ cardId }) => cardId?.toLowerCase() ?? []))]
  const cards =
    cardIds.length === 0
      ? []
      : await database()
          .select({ id: indexedCards.id })
          .from(indexedCards)
          .where(and(eq(indexedCards.environment, environment), inArray(sql`lower(id)`, cardIds)))
  return events.map((event) => ({
    ...event,
    cardAccountId,
    cardId: cards.find(({ id }) => sameId(id, event.cardId))?.id ?? event.cardId,
  }))
}

/** Applied once: the process that sets the time notifies the open pages, in the same transaction. */
async function finish(
  environment: Environment,
  positions: number[],
  leaseHolder: string,
  events: readonly OpenEvent[],
): Promise<void> {
  await inTransaction(database(), async (tx) => {
    const applied = await tx
      .update(inboxEvents)
      .set({ appliedAt: sql`clock_timestamp()`, problem: null, leaseHolder: null })
      .where(isLeased(positions, leaseHolder))
      .returning({ position: inboxEvents.position })
    const isApplied = new Set(applied.map(({ position }) => position))
    const reported = events.filter(({ position }) => isApplied.has(position)).flatMap(listChanges)
    if (reported.length > 0) await writeChanges(tx, environment, [{ type: 'inbox' }, ...reported])
  })
}

/** Tried again after 2 s, 4 s, 8 s … up to ten minutes. */
async function postpone(positions: number[], leaseHolder: string, problem: string): Promise<void> {
  await database()
    .update(inboxEvents)
    .set({
      problem: storableText(problem.slice(0, 500)),
      leaseHolder: null,
      nextAttemptAt: inSeconds(backOff(inboxEvents.attempts, { most: 600 })),
    })
    .where(isLeased(positions, leaseHolder))
}

function isLeased(positions: number[], leaseHolder: string) {
  const { position, appliedAt, leaseHolder: holder } = inboxEvents
  return and(inArray(position, positions), isNull(appliedAt), eq(holder, leaseHolder))
}
