import type { Queryable } from './connection.ts'

/**
 * What belongs to a database or to one of its connections, made when it is first needed: a cache, or a statement with placeholders
 * and `.prepare(name)`, which PostgreSQL plans once a connection.
 */
export function perDatabase<Value, Db extends Queryable = Queryable>(make: (db: Db) => Value): (db: Db) => Value {
  const made = new WeakMap<Db, Value>()
  return (db) => {
    const cached = made.get(db)
    if (cached) return cached
    const value = make(db)
    made.set(db, value)
    return value
  }
}
