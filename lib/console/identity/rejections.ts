import 'server-only'
import { and, eq, inArray, isNull, lt, lte, or, sql } from 'drizzle-orm'
import { masked } from '#lib/auth/masking.ts'
import type { CardAccount, ClientIdentity } from '#lib/contract/records.ts'
import { database } from '#lib/db/connection.ts'
import { inBackground } from '#lib/environments/background.ts'
import { callService } from '#lib/environments/environments.ts'
import { isRejected } from '#lib/index/account-filter.ts'
import { toCardAccount } from '#lib/index/account-record.ts'
import { columnText } from '#lib/index/column-values.ts'
import { inParallel } from '#lib/index/in-parallel.ts'
import { publish } from '#lib/live/publish.ts'
import { isAppError, nullOn } from '#lib/shared/app-error.ts'
import { globalSingleton } from '#lib/shared/global-singleton.ts'
import { logFailure } from '#lib/shared/log.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { storable } from '#lib/shared/texts.ts'
import { secondMs } from '#lib/shared/time.ts'
import { type WorkUnderWay, workUnderWay } from '#lib/shared/work-under-way.ts'
import { indexedAccounts as account } from '#lib/tables/card-accounts.ts'

/** A stored reason is read again after this time, for decisions whose event was lost. */
const dueAfter = sql`clock_timestamp() - interval '10 minutes'`
const readersAtOnce = 4
/** After a request that the service did not accept, these accounts are not read again for this long. */
const outagePauseMs = 30 * secondMs

/** Reads the client identity of an account and stores the reason of its rejection with the account in the index. */
export async function fetchIdentity(
  environment: Environment,
  cardAccountId: string,
): Promise<{ identity: ClientIdentity; fetchedAt: Date; isChanged: boolean }> {
  const { response: identity, fetchedAt } = await callService(environment, 'getClientIdentity', {
    query: { cardAccountId },
  })
  const byId = and(eq(account.environment, environment), eq(account.id, cardAccountId))
  const db = database()
  const [stored] = await db.select({ reason: account.rejectedReason }).from(account).where(byId)
  const reason = identity.status === 'rejected' ? columnText(identity.rejectedReason) : null
  await db
    .update(account)
    .set({ rejectedReason: reason, identityReadAt: fetchedAt, identity: storedForm(identity) })
    .where(and(byId, or(isNull(account.identityReadAt), lte(account.identityReadAt, fetchedAt))))
  return { identity, fetchedAt, isChanged: stored !== undefined && stored.reason !== reason }
}

/** The stored part of an identity: masked, whatever the role of a later reader. */
function storedForm(identity: ClientIdentity): Record<string, unknown> {
  return storable(masked(identity, [])) as Record<string, unknown>
}

/**
 * An account and its identity as they were last read; null where the index does not have the account. Of an identity that was
 * not read since its status changed, only the status is known.
 */
export async function findStoredIdentity(
  environment: Environment,
  cardAccountId: string,
): Promise<{ account: CardAccount; identity: ClientIdentity; fetchedAt: Date } | null> {
  const [row] = await database()
    .select()
    .from(account)
    .where(and(eq(account.environment, environment), sql`lower(id) = ${cardAccountId.toLowerCase()}`))
    .orderBy(sql`id = ${cardAccountId} desc`)
    .limit(1)
  if (!row) return null
  const unknown = { rejectedReason: null, rejectionAdditionalInfo: null, individual: null }
  const stored = (row.identity ?? {}) as Partial<ClientIdentity>
  return {
    account: toCardAccount(row),
    identity: { ...unknown, ...stored, cardAccountId: row.id, status: stored.status ?? row.clientIdentityStatus },
    fetchedAt: (row.identity && row.identityReadAt) ?? row.readAt,
  }
}

/** Why the identity of a rejected account was rejected; null where the service does not say. Never throws an `AppError`. */
export async function readRejectedReason(environment: Environment, cardAccountId: string): Promise<string | null> {
  const [stored] = await database()
    .select({ reason: account.rejectedReason, isDue: isDue().mapWith(Boolean) })
    .from(account)
    .where(and(eq(account.environment, environment), eq(account.id, cardAccountId)))
  if (stored && !stored.isDue) return stored.reason
  const fetched = await nullOn(fetchIdentity(environment, cardAccountId))
  if (!fetched) return stored?.reason ?? null
  return fetched.identity.status === 'rejected' ? fetched.identity.rejectedReason : null
}

function isDue() {
  return sql`(${account.identityReadAt} is null or ${account.identityReadAt} < ${dueAfter})`
}

const readsUnderWay = globalSingleton<WorkUnderWay>('carddeskIdentityReads', workUnderWay)
const idsUnderWay = globalSingleton<Set<string>>('carddeskIdentityIds', () => new Set())

/**
 * Reads in the background why the identities of these accounts were rejected, where that is not known or may be out of
 * date, and has open pages show it. Never throws.
 */
export function refreshRejections(environment: Environment, cardAccountIds: readonly string[]): void {
  const ids = idsUnderWay()
  const own = cardAccountIds.filter((id) => !ids.has(`${environment} ${id}`))
  if (own.length === 0) return
  for (const id of own) ids.add(`${environment} ${id}`)
  const release = () => own.forEach((id) => ids.delete(`${environment} ${id}`))
  const read = inBackground(() => refresh(environment, own)).then(
    (isReachable) => (isReachable ? release() : void setTimeout(release, outagePauseMs).unref()),
    (error: unknown) => {
      release()
      logFailure(error, { while: 'reading reasons of rejections' })
    },
  )
  readsUnderWay().track(read)
}

/** Waits for the background reads of this process. @internal */
export const identityReadsDone = (): Promise<void> => readsUnderWay().ended()

/** False where the service did not respond, or allows no more requests: the rest is then left unread. */
async function refresh(environment: Environment, cardAccountIds: readonly string[]): Promise<boolean> {
  const due = await database()
    .select({ id: account.id })
    .from(account)
    .where(and(eq(account.environment, environment), inArray(account.id, [...cardAccountIds]), isRejected, isDue()))
  let isReachable = true
  await inParallel(due, readersAtOnce, async ({ id }) => {
    if (!isReachable) return
    const read = await refreshOne(environment, id)
    if (read === 'changed') publish(environment, [{ type: 'cardaccount', id }])
    isReachable &&= read !== 'unreachable'
  })
  return isReachable
}

/** The result of reading a reason. A service without identities is not called again before the next round. */
async function refreshOne(environment: Environment, id: string): Promise<'changed' | 'same' | 'unreachable'> {
  try {
    return (await fetchIdentity(environment, id)).isChanged ? 'changed' : 'same'
  } catch (error) {
    if (!isAppError(error)) throw error
    if (error.code === 'SERVICE_UNREACHABLE') return 'unreachable'
    await database()
      .update(account)
      .set({ identityReadAt: new Date() })
      .where(
        and(
          eq(account.environment, environment),
          eq(account.id, id),
          or(isNull(account.identityReadAt), lt(account.identityReadAt, dueAfter)),
        ),
      )
    return 'same'
  }
}
