import 'server-only'
import { and, eq, isNull } from 'drizzle-orm'
import { z } from 'zod'
import { listPermissions, type Permission } from '#lib/auth/permissions.ts'
import { requireCurrentStaff } from '#lib/auth/session.ts'
import { indexDatabase } from '#lib/db/connection.ts'
import { requireService } from '#lib/environments/environments.ts'
import { readAccountCoverage } from '#lib/index/accounts-sync.ts'
import { parseSearchText } from '#lib/index/search-terms.ts'
import { parseSearch, plainText, ServiceId } from '#lib/shared/parse.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { indexedAccounts } from '#lib/tables/card-accounts.ts'
import { findPayouts } from './find-payouts.ts'
import { findAccounts, findPeople, findCards } from './find-people.ts'
import { findAuditEntries, findRequests } from './find-requests.ts'
import { findTransactions, findFees } from './find-transactions.ts'
import { findWebhooks } from './find-webhooks.ts'
import type { Hit, Query } from './query.ts'

/**
 * Something that a search found. `label` and `hint` are texts and codes of the record, null where the service did not provide
 * them. `parentId` is the card account of a card or a transaction.
 */
export type Found = {
  kind: SearchedKind
  id: string
  parentId: string | null
  label: string | null
  hint: string | null
  status: string | null
}
const Search = z.object({
  q: plainText(200).optional(),
  /** The account of the page that the search began on: its transactions come first. */
  cardAccountId: ServiceId.optional(),
  /** With the cards of the accounts that are found: something is to be done to one of them. */
  cards: z.literal('yes', 'must be yes').optional(),
})
export type ConsoleSearch = z.input<typeof Search>

/**
 * The kinds of records that are searched, with the permission of each, people first. To search another kind,
 * add its row here and one in `found-table.tsx`.
 */
const searchers = {
  cardaccount: { needs: 'accounts.read', find: findPeople },
  card: { needs: 'accounts.read', find: findCards },
  payout: { needs: 'payouts.read', find: findPayouts },
  transaction: { needs: 'accounts.read', find: findTransactions },
  fee: { needs: 'accounts.read', find: findFees },
  webhook: { needs: 'webhooks.read', find: findWebhooks },
  request: { needs: 'audit.read', find: findRequests },
  audit: { needs: 'audit.read', find: findAuditEntries },
} as const satisfies Record<string, { needs: Permission; find: (query: Query) => Promise<Hit[]> }>

type SearchedKind = keyof typeof searchers

/**
 * Finds records of every kind that this person may read. People, cards, payouts and merchants are found by their terms: words in any
 * order, with a letter wrong, in Chinese or in Latin letters, and by their ids and the ends of these. What needs a request to the service
 * comes only if it responds in time. `isReading` is true where nothing was found while the first reading of all accounts and cards
 * is under way.
 */
export async function searchConsole(
  environment: Environment,
  search: ConsoleSearch,
): Promise<{ found: Found[]; isReading: boolean }> {
  const { staff } = await requireCurrentStaff()
  const { q = '', cardAccountId, cards } = parseSearch(Search, search)
  requireService(environment)
  if (q.trim() === '') return { found: [], isReading: false }
  const permissions = listPermissions(staff.role, environment)
  const seesContacts = permissions.includes('personal-data.read')
  const asked = {
    environment,
    q: q.trim(),
    text: parseSearchText(q),
    cardAccountId,
    isWithCards: cards === 'yes',
    seesContacts,
  }
  const query = {
    ...asked,
    accounts: permissions.includes('accounts.read') ? findAccounts(asked) : Promise.resolve([]),
  }
  const allowed = (Object.keys(searchers) as SearchedKind[]).filter((kind) =>
    permissions.includes(searchers[kind].needs),
  )
  // Four digits are a card's: an account that has them in its id comes after it.
  const kinds = query.text.last4 === null ? allowed : allowed.toSorted((one) => (one === 'card' ? -1 : 0))
  const hits = await Promise.all(
    kinds.map(async (kind) => (await searchers[kind].find(query)).map((hit) => ({ kind, parentId: null, ...hit }))),
  )
  const found = hits.flat()
  return { found, isReading: found.length === 0 && (await isReading(environment)) }
}

async function isReading(environment: Environment): Promise<boolean> {
  const [{ asOf }, unread] = await Promise.all([
    readAccountCoverage(environment),
    indexDatabase()
      .select({ id: indexedAccounts.id })
      .from(indexedAccounts)
      .where(and(eq(indexedAccounts.environment, environment), isNull(indexedAccounts.cardsReadAt)))
      .limit(1),
  ])
  return asOf === null || unread.length > 0
}
