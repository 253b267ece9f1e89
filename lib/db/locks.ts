import { sql } from 'drizzle-orm'
import type { Transaction } from './connection.ts'

/**
 * The locks of the database by their names. A process of the version before may run beside this one and takes the lock by its
 * number, which is the position: a new one goes to the end.
 */
const locks = [
  'audit chain',
  'audit checkpoints',
  'live changes',
  'requests of a person',
  'identical requests',
  'payouts to a beneficiary',
  'staff',
  'policies',
  'scenario runs',
  'reveals of a person',
  'cards of an account',
  'passkeys of a person',
  'funding thresholds',
  'call backs of a record',
  'views of a person',
  'waivers of a fee',
] as const

/** Waits for an advisory lock and holds it until the transaction ends. With a `key`, only work of the same key waits. */
export async function lockByName(tx: Transaction, name: (typeof locks)[number], key?: string): Promise<void> {
  const number = 7_263_101 + locks.indexOf(name)
  await tx.execute(
    key === undefined
      ? sql`select pg_advisory_xact_lock(${number})`
      : sql`select pg_advisory_xact_lock(${number}::int, hashtext(${key}))`,
  )
}
