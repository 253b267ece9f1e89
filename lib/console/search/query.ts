import type { SearchText } from '#lib/index/search-terms.ts'
import { idKey, uniqueIds } from '#lib/shared/ids.ts'
import type { Environment } from '#lib/shared/routes.ts'

/** A record that a kind found. `parentId` is the card account of a card or a transaction. */
export type Hit = {
  id: string
  parentId?: string
  label: string | null
  hint: string | null
  status: string | null
}

/** What was asked. Each kind finds its records by it. */
export type Query = {
  environment: Environment
  q: string
  text: SearchText
  cardAccountId: string | undefined
  /** The accounts that are found, which other kinds are related to. */
  accounts: Promise<readonly FoundAccount[]>
  isWithCards: boolean
  /** Who does not see phone numbers and e-mail addresses finds nobody by one. */
  seesContacts: boolean
}
export type FoundAccount = { id: string; name: string | null; xid: string | null; currency: string | null }

/** The maximum number of results of a kind; the pages with filters show longer lists. */
export const mostOfAKind = 7

/** An id or an external id: one word with a digit, of some length. */
export function mayBeId(q: string): boolean {
  return q.length >= 6 && /\d/.test(q) && !/\s/.test(q)
}

/** Each record once, where it was found first. */
export function unique(hits: readonly Hit[]): Hit[] {
  const byId = new Map(hits.toReversed().map((hit) => [idKey(hit.id), hit]))
  return uniqueIds(hits.map(({ id }) => id)).flatMap((id) => byId.get(idKey(id)) ?? [])
}
