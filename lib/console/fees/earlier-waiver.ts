import 'server-only'
import { and, desc, eq, inArray, ne } from 'drizzle-orm'
import { database, type Queryable, type Transaction } from '#lib/db/connection.ts'
import { lockByName } from '#lib/db/locks.ts'
import { isBuiltIn } from '#lib/environments/control-plane.ts'
import { idKey } from '#lib/shared/ids.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { operations } from '#lib/tables/operations.ts'

/**
 * Why a fee must not be waived once more, as a sentence: the console waived it before, or does not know whether it did. Null where it
 * may be. The interface does not say that a second waiver is refused, and there are services that credit it again; the built-in one
 * refuses it, and after a reset of its sandbox an id may be that of another fee. `except` is an operation that does not count.
 */
export async function findEarlierWaiver(
  environment: Environment,
  feeId: string,
  except?: string,
  db: Queryable = database(),
): Promise<string | null> {
  if (isBuiltIn(environment)) return null
  const [earlier] = await db
    .select({ state: operations.state, staffName: operations.staffName })
    .from(operations)
    .where(
      and(
        eq(operations.environment, environment),
        eq(operations.kind, 'fee.waive'),
        eq(operations.targetId, feeId),
        inArray(operations.state, ['sending', 'done', 'partial', 'unknown']),
        except === undefined ? undefined : ne(operations.id, except),
      ),
    )
    .orderBy(desc(operations.createdAt))
    .limit(1)
  if (!earlier) return null
  return earlier.state === 'done' || earlier.state === 'partial'
    ? `${earlier.staffName} has waived this fee before. A second waiver may credit it twice.`
    : `A waiver of this fee by ${earlier.staffName} is not confirmed yet. A second one may credit it twice.`
}

/** The same, for a waiver that is in the journal by the end of the transaction: of two at the same moment, the later one sees the other. */
export async function findEarlierWaiverAlone(
  tx: Transaction,
  environment: Environment,
  feeId: string,
  except: string,
): Promise<string | null> {
  await lockByName(tx, 'waivers of a fee', environment + idKey(feeId))
  return findEarlierWaiver(environment, feeId, except, tx)
}
