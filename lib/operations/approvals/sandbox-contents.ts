import 'server-only'
import { eq, sql } from 'drizzle-orm'
import { database } from '#lib/db/connection.ts'
import { inTransaction } from '#lib/db/transaction.ts'
import { builtInControl, callControlPlane } from '#lib/environments/control-plane.ts'
import { publish } from '#lib/live/publish.ts'
import type { Change } from '#lib/live/types.ts'
import { textIn } from '#lib/shared/json.ts'
import { logFailure } from '#lib/shared/log.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { accountProgress } from '#lib/tables/card-accounts.ts'
import { feeProgress } from '#lib/tables/fees.ts'
import { ledgerProgress } from '#lib/tables/ledger.ts'
import { payoutProgress } from '#lib/tables/payouts.ts'
import { transactionProgress } from '#lib/tables/transactions.ts'
import { pauseForReplaced } from '../bulk/stop.ts'
import { expireReplaced } from './expire.ts'
import { publishApproval } from './request.ts'

/**
 * Asks the built-in service which contents its sandbox has. Where they were replaced, by whomever, no list of the index is complete
 * until it was read whole again, and the transactions of the accounts are read in the next rounds; open pages read again. A request that waits
 * for an approval ends, and a job that runs is paused: their ids may be those of other records now.
 */
export async function noteContents(environment: Environment): Promise<void> {
  const control = builtInControl(environment)
  const contentsId = control && textIn(await callControlPlane(control, { path: '/state' }), 'contentsId')
  if (!contentsId) return
  const { areReplaced, expired, paused } = await inTransaction(database(), async (tx) => {
    const isOfEnvironment = eq(accountProgress.environment, environment)
    const { contentsId: id } = accountProgress
    const [before] = await tx.select({ id }).from(accountProgress).where(isOfEnvironment).for('update')
    if (before?.id === contentsId) return nothing
    await tx
      .insert(accountProgress)
      .values({ environment, contentsId })
      .onConflictDoUpdate({ target: accountProgress.environment, set: { contentsId } })
    if (!before?.id) return nothing
    // A reading that began before has records of both contents, so it must not count as complete.
    const isUnread = { asOf: null, reading: sql`reading + 1` }
    for (const table of [accountProgress, payoutProgress, ledgerProgress])
      await tx.update(table).set(isUnread).where(eq(table.environment, environment))
    await tx
      .update(feeProgress)
      .set({ ...isUnread, resumeAt: null, resumeSince: null })
      .where(eq(feeProgress.environment, environment))
    // A declined charge of the contents before moves no figure: the accounts are next among those that are read again.
    await tx
      .update(transactionProgress)
      .set({ lastReadAt: null, wholeReadAt: null })
      .where(eq(transactionProgress.environment, environment))
    return {
      areReplaced: true,
      expired: await expireReplaced(tx, environment),
      paused: await pauseForReplaced(tx, environment, null),
    }
  })
  expired.forEach(publishApproval)
  publish(environment, [...(areReplaced ? lists : []), ...paused.map(({ id }) => ({ type: 'bulk-job' as const, id }))])
}

const lists: Change[] = [{ type: 'cardaccounts' }, { type: 'payouts' }, { type: 'fees' }, { type: 'funding-accounts' }]
const nothing = { areReplaced: false, expired: [], paused: [] }

/**
 * Notes the contents before a request is written or decided, so that the request refers to the contents of now. A control plane that
 * does not respond holds up neither.
 */
export async function noteContentsBefore(environment: Environment): Promise<void> {
  await noteContents(environment).catch((error: unknown) => logFailure(error, { while: 'asking for the contents' }))
}
