import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import type { PageTokens } from '#lib/shared/page-tokens.ts'

/** Where a page begins in a list: after a row, or before one on the way back; `isIncluded`: with that row, where it is still there. */
export const besideFields = { side: z.enum(['after', 'before']), isIncluded: z.boolean().default(false) }
export type Beside = { side: 'after' | 'before'; isIncluded: boolean }

/**
 * Positions in a list as opaque text that cannot be altered, and that counts only for the key and the scope that it was made for: the
 * list with its filter.
 */
export function pageTokens(key: Buffer, scope: string) {
  const sign = (payload: string) => {
    const mark = createHmac('sha256', key)
      .update(JSON.stringify([scope, payload]))
      .digest()
    return mark.subarray(0, 16).toString('base64url')
  }
  return {
    write(cursor: object): string {
      const payload = Buffer.from(JSON.stringify(cursor)).toString('base64url')
      return `${payload}.${sign(payload)}`
    },
    /** The cursor; null where the token is none of this key and scope. */
    open(token: string): unknown {
      const [payload = '', mark = '', ...more] = token.split('.')
      const [given, expected] = [Buffer.from(mark), Buffer.from(sign(payload))]
      if (more.length > 0 || given.length !== expected.length || !timingSafeEqual(given, expected)) return null
      return JSON.parse(Buffer.from(payload, 'base64url').toString())
    },
  }
}

/**
 * The page of the rows that were found: one more than `size` where there are more, reversed on the way back. Rows that are
 * added or moved meanwhile make no other row be skipped or repeated.
 */
export function cutPage<Row, Position extends object>(
  found: readonly Row[],
  size: number,
  cursor: (Position & Beside) | null,
  positionOf: (row: Row, end: 'first' | 'last') => Position,
  write: (cursor: Position & Beside) => string,
): { rows: Row[] } & PageTokens {
  const hasMore = found.length > size
  const isBackward = cursor?.side === 'before'
  const rows = found.slice(0, size)
  if (isBackward) rows.reverse()
  const tokenAt = (end: 'first' | 'last', side: Beside['side']) => {
    const row = rows.at(end === 'first' ? 0 : -1)
    if (row) return write({ ...positionOf(row, end), side, isIncluded: false })
    // A page whose rows are all gone: the row at which it begins is on the page that it was reached from.
    return cursor && write({ ...cursor, side, isIncluded: !cursor.isIncluded })
  }
  return {
    rows,
    prevPageToken: (isBackward ? hasMore : cursor !== null) ? tokenAt('first', 'before') : null,
    nextPageToken: isBackward || hasMore ? tokenAt('last', 'after') : null,
  }
}
