import 'server-only'
import { and, eq, gt, sql } from 'drizzle-orm'
import { database } from '#lib/db/connection.ts'
import { inTransaction } from '#lib/db/transaction.ts'
import { builtInControl, callControlPlane } from '#lib/environments/control-plane.ts'
import { smallProgram } from '#lib/index/define-index.ts'
import { publish } from '#lib/live/publish.ts'
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
 * Asks the built-in service which contents its sandbox has. Where they were replaced, by whomever, no long list of the index is complete
 * until it was read whole again; a short one is read whenever somebody looks, and the transactions of the accounts in the next rounds. A
 * request that waits for an approval ends, and a job that runs is paused: their ids may be those of other records now.
 */
export async function noteContents(environment: Environment): Promise<void> {
  const control = builtInControl(environment)
  const contentsId = control && textIn(await callControlPlane(control, { path: '/state' }), 'contentsId')
  if (!contentsId) return
  const { expired, paused } = await inTransaction(database(), async (tx) => {
    const isOfEnvironment = eq(accountProgress.environment, environment)
    const { contentsId: id } = accountProgress
    const [before] = await tx.select({ id }).from(accountProgress).where(isOfEnvironment).for('update')
    if (before?.id === contentsId) return nothing
    await tx
      .insert(accountProgress)
      .values({ environment, contentsId })
      .onConflictDoUpdate({ target: accountProgress.environment, set: { contentsId } })
    if (!before?.id) return nothing
    // A reading that has begun before is of both, and ends without a time.
    const isLong = ({
      environment: of,
      records,
    }: typeof accountProgress | typeof payoutProgress | typeof ledgerProgress | typeof feeProgress) =>
      and(eq(of, environment), gt(records, smallProgram))
    const isUnread = { asOf: null, reading: sql`reading + 1` }
    for (const table of [accountProgress, payoutProgress, ledgerProgress])
      await tx.update(table).set(isUnread).where(isLong(table))
    await tx
      .update(feeProgress)
      .set({ ...isUnread, resumeAt: null, resumeSince: null })
      .where(isLong(feeProgress))
    // A declined charge of the contents before moves no figure: the accounts are next among those that are read again.
    await tx
      .update(transactionProgress)
      .set({ lastReadAt: null, wholeReadAt: null })
      .where(eq(transactionProgress.environment, environment))
    return {
      expired: await expireReplaced(tx, environment),
      paused: await pauseForReplaced(tx, environment, null),
    }
  })
  expired.forEach(publishApproval)
  publish(
    environment,
    paused.map(({ id }) => ({ type: 'bulk-job', id })),
  )
}

const nothing = { expired: [], paused: [] }

/**
 * The same before a request is written or decided, so that it is of the contents that there are. A control plane that does not respond
 * holds up neither.
 */
export async function noteContentsBefore(environment: Environment): Promise<void> {
  await noteContents(environment).catch((error: unknown) => logFailure(error, { while: 'asking for the contents' }))
}
