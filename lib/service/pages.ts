import { createHmac, timingSafeEqual } from 'node:crypto'
import { defaultPageSize } from '#lib/contract/fields.ts'
import { errorOfIssues, type FieldIssue } from './field-issues.ts'

/** The position of a row in a list: newest first, then by id. */
export type PagePosition = { createdAt: Date; id: string }

export type Page<Row> = { rows: Row[]; prevPageToken: string | null; nextPageToken: string | null }

type Cursor = PagePosition & { direction: 'next' | 'prev' }

export type PageQuery = { pageSize?: number | undefined; pageToken?: string | undefined }

/**
 * The page that a query requests of a list that is ordered by (created, id), newest first. `read` reads `limit` rows beyond the
 * cursor, those nearest to it first. Tokens are bound to the list and to every filter in `query` but the page size; throws
 * `INVALID_PARAMETERS` for a token that is not one of this list and filter. Rows added later move nothing.
 */
export async function pageFrom<Row>(
  key: Buffer,
  list: string,
  query: PageQuery,
  position: (row: Row) => PagePosition,
  read: (page: { cursor: Cursor | undefined; limit: number }) => Promise<Row[]>,
): Promise<Page<Row>> {
  const { pageSize = defaultPageSize, pageToken, ...filter } = query
  const tokens = pageTokens(key, list, filter)
  const cursor = pageToken === undefined ? undefined : (tokens.open(pageToken) ?? undefined)
  if (pageToken !== undefined && !cursor) throw errorOfIssues([tokenIssue])
  const backwards = cursor?.direction === 'prev'

  const found = await read({ cursor, limit: pageSize + 1 })
  const hasMore = found.length > pageSize
  const rows = found.slice(0, pageSize)
  if (backwards) rows.reverse()

  const first = rows[0] === undefined ? cursor : position(rows[0])
  const last = rows.at(-1) === undefined ? cursor : position(rows.at(-1) as Row)
  const hasNewer = backwards ? hasMore : cursor !== undefined
  const hasOlder = backwards ? true : hasMore
  return {
    rows,
    prevPageToken: hasNewer && first ? tokens.write({ ...first, direction: 'prev' }) : null,
    nextPageToken: hasOlder && last ? tokens.write({ ...last, direction: 'next' }) : null,
  }
}

/** Returns the issues of a query's page token. With an invalid filter, only the token's form is checked. */
export function pageTokenIssues(key: Buffer, list: string, query: PageQuery, isFilterRight: boolean): FieldIssue[] {
  const { pageSize: _, pageToken, ...filter } = query
  if (pageToken === undefined) return []
  const isRight = isFilterRight ? pageTokens(key, list, filter).open(pageToken) !== null : partsOf(pageToken) !== null
  return isRight ? [] : [tokenIssue]
}

const tokenIssue: FieldIssue = { path: 'pageToken', message: 'must be a token of a page of this list and filter' }

const tokenPattern = /^([np])(-?\d{1,15})\.([0-9a-f-]{36})$/

function pageTokens(key: Buffer, list: string, filter: Readonly<Record<string, unknown>>) {
  const scope = JSON.stringify([
    list,
    Object.entries(filter)
      .filter(([, value]) => value !== undefined)
      // Several values filter alike in any order.
      .map(([name, value]) => [name, Array.isArray(value) ? value.toSorted() : value])
      .sort(),
  ])
  const seal = (cursor: string) => createHmac('sha256', key).update(`${scope}\n${cursor}`).digest().subarray(0, 16)
  return {
    write({ direction, createdAt, id }: Cursor): string {
      const cursor = `${direction === 'next' ? 'n' : 'p'}${createdAt.getTime()}.${id}`
      return Buffer.concat([seal(cursor), Buffer.from(cursor)]).toString('base64url')
    },
    /** Null for a token that is not one of this list and filter. */
    open(token: string): Cursor | null {
      const parts = partsOf(token)
      return parts && timingSafeEqual(parts.seal, seal(parts.cursor)) ? parts.position : null
    },
  }
}

/** The content of a token, whichever key sealed it; null for a text that is no token. */
function partsOf(token: string): { seal: Buffer; cursor: string; position: Cursor } | null {
  const bytes = Buffer.from(token, 'base64url')
  const cursor = bytes.subarray(16).toString()
  const [, direction, time = '', id = ''] = tokenPattern.exec(cursor) ?? []
  if (!direction || bytes.toString('base64url') !== token) return null
  const position: Cursor = { direction: direction === 'n' ? 'next' : 'prev', createdAt: new Date(Number(time)), id }
  return { seal: bytes.subarray(0, 16), cursor, position }
}
