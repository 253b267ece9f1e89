import { and, eq, getTableColumns, sql, type SQL } from 'drizzle-orm'
import type { AnyPgColumn, PgTable, PgUpdateSetSource } from 'drizzle-orm/pg-core'
import type { Database, Transaction } from './connection.ts'

/*
 * Work as rows of a table. A process takes rows that are due, which makes them not due for a while; other processes skip them
 * and never wait. It settles a row, or lets it be due again after a pause. The rows of a process that died are due again by
 * themselves, so each step of the work may be done twice. Every time is the database's clock.
 */

/** An instant from now by the database's clock. */
export function inSeconds(seconds: number | SQL): SQL {
  return sql`clock_timestamp() + make_interval(secs => ${seconds})`
}

/** Seconds until another attempt: 2, 4, 8 … with the number of those made, between the two bounds. */
export function backOff(attempts: AnyPgColumn | SQL, { least = 0, most }: { least?: number; most: number }): SQL {
  return sql`greatest(${least}::integer, least(${most}::integer, 2 ^ least(${attempts}, 12)))`
}

type Row<Table extends PgTable> = Table['$inferSelect']
type Due = { due: SQL | undefined; order: SQL }

/** Locks the next row that is due for a transaction that settles it before its end; rows of other processes are left out. */
export async function lockNextDue<Table extends PgTable>(
  tx: Transaction,
  table: Table,
  { due, order }: Due,
): Promise<Row<Table> | undefined> {
  const from: PgTable = table
  const [row] = await tx.select().from(from).where(due).orderBy(order).limit(1).for('update', { skipLocked: true })
  return row
}

type Claim<Table extends PgTable, Left> = Due & {
  key: readonly AnyPgColumn[]
  limit: number
  set: PgUpdateSetSource<Table>
  /** Columns that the work doesn't need, such as a long text. */
  without?: readonly Left[]
}

/** Takes rows that are due. `set` makes them not due until their lease ends, such as a time in the future. */
export async function claimDue<Table extends PgTable, Left extends string & keyof Row<Table> = never>(
  db: Database,
  table: Table,
  { key, due, order, limit, set, without = [] }: Claim<Table, Left>,
): Promise<Omit<Row<Table>, Left>[]> {
  const columns = sql.join([...key], sql`, `)
  const taken = sql`select ${columns} from ${table} where ${due} order by ${order} limit ${limit} for update skip locked`
  const needed = Object.entries(getTableColumns(table)).filter(([name]) => !without.some((left) => left === name))
  return db
    .update(table)
    .set(set)
    .where(sql`(${columns}) in (${taken})`)
    .returning(Object.fromEntries(needed)) as Promise<Omit<Row<Table>, Left>[]>
}

/** A row that one process works on for longer than a moment: it renews its lease until it is done. */
type LeasedTable = PgTable & { leaseHolder: AnyPgColumn; leaseUntil: AnyPgColumn }

/** How long a process has a row for itself without renewing its lease. */
const leaseSeconds = 15

/** When a lease that is taken or renewed now ends. */
export const leaseEnd = inSeconds(leaseSeconds)

/** Rows that no process has: their lease has ended, or was released. */
export function isFree({ leaseUntil }: LeasedTable): SQL {
  return sql`${leaseUntil} <= clock_timestamp()`
}

/** A row that a process has taken. It may write the row while `holder` is still that of the row. */
export function makeLease<Table extends LeasedTable>(db: Database, table: Table, row: SQL | undefined, holder: string) {
  const write = async (values: PgUpdateSetSource<Table>): Promise<boolean> => {
    const { rowCount } = await db
      .update(table)
      .set(values)
      .where(and(row, eq(table.leaseHolder, holder)))
    return rowCount !== null && rowCount > 0
  }
  return {
    /** Writes to the row. False: this process was too slow, and another one has it. */
    write,
    /** Renews the lease every few seconds until the returned function is called. The next renewal makes up for one that fails. */
    keep(): () => void {
      const renew = () => write({ leaseUntil: leaseEnd } as PgUpdateSetSource<Table>)
      const timer = setInterval(() => void renew().then(undefined, () => undefined), (leaseSeconds * 1000) / 3)
      timer.unref()
      return () => clearInterval(timer)
    },
    /** Lets another process take the row after a pause. */
    release: (values: object = {}, pauseSeconds = 0) =>
      write({ ...values, leaseHolder: null, leaseUntil: inSeconds(pauseSeconds) } as PgUpdateSetSource<Table>),
  }
}
