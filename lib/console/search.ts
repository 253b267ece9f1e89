import 'server-only'
import { setTimeout as delay } from 'node:timers/promises'
import { and, desc, eq, ilike, inArray, isNull, or, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { z } from 'zod'
import { listPermissions, type Permission } from '#lib/auth/permissions.ts'
import { requireCurrentStaff } from '#lib/auth/session.ts'
import { readAmount } from '#lib/contract/amount-entry.ts'
import { indexDatabase } from '#lib/db/connection.ts'
import { requireService } from '#lib/environments/environments.ts'
import { readAccountCoverage } from '#lib/index/accounts-sync.ts'
import { readCards } from '#lib/index/cards-sync.ts'
import { escapeLike } from '#lib/index/conditions.ts'
import { readCurrencies } from '#lib/index/list.ts'
import {
  toContactQuery,
  nameDistance,
  fold,
  parseSearchText,
  type SearchText,
  strictnesses,
  toTsquery,
  withoutLast4,
} from '#lib/index/search-terms.ts'
import { nullOn } from '#lib/shared/app-error.ts'
import { moneyText } from '#lib/shared/currency.ts'
import { isUuid, uniqueIds } from '#lib/shared/ids.ts'
import { parseSearch, plainText, ServiceId } from '#lib/shared/parse.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { secondMs } from '#lib/shared/time.ts'
import { auditEntries } from '#lib/tables/audit.ts'
import { indexedAccounts, indexedCards } from '#lib/tables/card-accounts.ts'
import { indexedFees } from '#lib/tables/fees.ts'
import { indexedPayouts } from '#lib/tables/payouts.ts'
import { serviceRequests } from '#lib/tables/requests.ts'
import { indexedMerchants, indexedTransactions } from '#lib/tables/transactions.ts'
import { watchedWebhooks } from '#lib/tables/webhooks.ts'
import { parseStoredPayout } from './payouts/payout-record.ts'

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
type Hit = Omit<Found, 'kind' | 'parentId'> & { parentId?: string }

const Search = z.object({
  q: plainText(200).optional(),
  /** The account of the page that the search began on: its transactions come first. */
  cardAccountId: ServiceId.optional(),
  /** With the cards of the accounts that are found: something is to be done to one of them. */
  cards: z.literal('yes', 'must be yes').optional(),
})
export type ConsoleSearch = z.input<typeof Search>

type Query = {
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
type FoundAccount = { id: string; name: string | null; xid: string | null; currency: string | null }
type Searcher = { needs: Permission; find: (query: Query) => Promise<Hit[]> }

/** The maximum number of results of a kind; the pages with filters show longer lists. */
const mostOfAKind = 7
/** So many rows are compared with what was typed. */
const mostCompared = 200
/** Fewer, and records with a letter wrong are looked for as well, unless one has each of several words whole. */
const enough = 5
/** A service that responds slower than this has nothing for a search as one types. */
const serviceTimeoutMs = 2 * secondMs

type Compared = { id: string; name: string | null; terms: string[]; at: Date | null }

/**
 * Rows by their terms, those that match whole words first; the closest first. `read` returns the rows of a `tsquery`. Where others are
 * `found`, none with a letter wrong is looked for.
 */
async function closest<Row extends Compared>(
  text: SearchText,
  read: (query: string) => Promise<readonly Row[]>,
  found: Promise<readonly unknown[]> | null = null,
): Promise<Row[]> {
  const rows = new Map<string, Row>()
  let isFoundWhole = false
  for (const strictness of strictnesses) {
    const query = toTsquery(text, strictness)
    if (query === null || rows.size >= mostOfAKind) break
    if (strictness === 'misspelled' && (isFoundWhole || rows.size >= enough || (await found)?.length)) break
    for (const row of await read(query)) if (!rows.has(row.id)) rows.set(row.id, row)
    isFoundWhole ||= strictness === 'whole' && text.terms.length > 1 && rows.size > 0
  }
  return [...rows.values()]
    .map((row) => ({ row, name: fold(row.name ?? '') }))
    .map(({ row, name }) => ({ row, name, distance: nameDistance(text, row.terms, name) }))
    .toSorted(
      (one, other) =>
        one.distance - other.distance ||
        Number(other.name.includes(text.text)) - Number(one.name.includes(text.text)) ||
        one.name.length - other.name.length ||
        (other.row.at?.getTime() ?? 0) - (one.row.at?.getTime() ?? 0),
    )
    .slice(0, mostOfAKind)
    .map(({ row }) => row)
}

/** Whether a row has the terms of a `tsquery`. */
function hasTerms(column: AnyPgColumn, query: string): SQL {
  return sql`${column} @@ ${query}::tsquery`
}

const termsArray = (column: AnyPgColumn) => sql<string[]>`tsvector_to_array(${column})`

async function findAccounts({ environment, text, seesContacts }: Omit<Query, 'accounts'>): Promise<FoundAccount[]> {
  const { id, name, xid, currency, createdAt, terms } = indexedAccounts
  const columns = { id, name, xid, currency }
  const inEnvironment = eq(indexedAccounts.environment, environment)
  const found = closest(text, (query) =>
    indexDatabase()
      .select({ ...columns, terms: termsArray(terms), at: createdAt })
      .from(indexedAccounts)
      .where(and(inEnvironment, hasTerms(terms, query)))
      .limit(mostCompared),
  )
  const contacts = seesContacts ? toContactQuery(text) : null
  const byContact = contacts
    ? await indexDatabase()
        .select(columns)
        .from(indexedAccounts)
        .where(
          and(
            inEnvironment,
            sql`${id} in (
              select id from ${indexedAccounts} where environment = ${environment} and terms @@ ${contacts}::tsquery
              union select card_account_id from ${indexedCards} where environment = ${environment} and terms @@ ${contacts}::tsquery)`,
          ),
        )
        .limit(mostOfAKind)
    : []
  const rows = [...byContact, ...(await found)]
  return [...new Map(rows.map((row) => [row.id, row])).values()].slice(0, mostOfAKind)
}

type FoundCard = { id: string; cardAccountId: string; last4: string | null; status: string | null } & Omit<
  FoundAccount,
  'id' | 'currency'
>

/** A row of a card with its account. */
function selectCards(environment: Environment, condition: SQL | undefined) {
  const { id, cardAccountId, last4, status, position, terms } = indexedCards
  const { name, xid } = indexedAccounts
  return indexDatabase()
    .select({ id, cardAccountId, last4, status, name, xid, terms: termsArray(terms), at: indexedAccounts.createdAt })
    .from(indexedCards)
    .leftJoin(
      indexedAccounts,
      and(eq(indexedAccounts.environment, indexedCards.environment), eq(indexedAccounts.id, cardAccountId)),
    )
    .where(and(eq(indexedCards.environment, environment), condition))
    .orderBy(position, id)
}

/** The cards with these last four digits, of those whom the other words name. */
async function cardsByLast4({ environment, text }: Query): Promise<FoundCard[]> {
  if (text.last4 === null) return []
  const rest = withoutLast4(text)
  const hasLast4 = eq(indexedCards.last4, text.last4)
  if (rest.terms.length === 0) return selectCards(environment, hasLast4).limit(mostOfAKind)
  return closest(rest, (query) =>
    selectCards(
      environment,
      and(hasLast4, or(hasTerms(indexedAccounts.terms, query), hasTerms(indexedCards.terms, query))),
    ).limit(mostCompared),
  )
}

/** The cards by their ids and the name on them, where the account has another one. */
function cardsByTerms({ environment, text, accounts }: Query): Promise<FoundCard[]> {
  const read = (query: string) =>
    selectCards(
      environment,
      and(
        sql`${indexedCards.id} in (
          select id from ${indexedCards} where environment = ${environment} and terms @@ ${query}::tsquery limit ${mostCompared})`,
        sql`not coalesce(${indexedAccounts.terms} @@ ${query}::tsquery, false)`,
      ),
    ).limit(mostCompared)
  return closest(text, read, accounts)
}

/**
 * The kinds of records that are searched, with the permission of each, people first. To search another kind,
 * add its row here and one in `found-table.tsx`.
 */
const searchers = {
  cardaccount: {
    needs: 'accounts.read',
    async find({ accounts }) {
      return (await accounts).map(({ id, name, xid, currency }) => ({
        id,
        label: name ?? xid,
        hint: [name === null ? null : xid, currency].filter(Boolean).join(' · '),
        status: null,
      }))
    },
  },
  card: {
    needs: 'accounts.read',
    async find(query) {
      const { environment, isWithCards } = query
      const accountIds = isWithCards ? (await query.accounts).map(({ id }) => id) : []
      const [byLast4, byTerms, ofAccounts] = await Promise.all([
        cardsByLast4(query),
        cardsByTerms(query),
        accountIds.length === 0
          ? []
          : selectCards(environment, inArray(indexedCards.cardAccountId, accountIds)).limit(2 * mostOfAKind),
      ])
      // The closest person's cards first: what is done to the first one is the likeliest to be meant.
      const inOrder = ofAccounts.toSorted(
        (one, other) => accountIds.indexOf(one.cardAccountId) - accountIds.indexOf(other.cardAccountId),
      )
      const rows = [...byLast4, ...byTerms, ...inOrder]
      const statuses = isWithCards ? await statusesNow(environment, rows) : new Map<string, string | null>()
      return unique(
        rows.map((row) => ({
          id: row.id,
          parentId: row.cardAccountId,
          label: row.last4,
          hint: row.name ?? row.xid,
          status: statuses.get(row.id) ?? row.status,
        })),
      ).slice(0, isWithCards ? 2 * mostOfAKind : mostOfAKind)
    },
  },
  payout: {
    needs: 'payouts.read',
    async find({ environment, text }) {
      const { id, record, createdAt, terms } = indexedPayouts
      const rows = await closest(text, async (query) => {
        const found = await indexDatabase()
          .select({ id, record, terms: termsArray(terms), at: createdAt })
          .from(indexedPayouts)
          .where(and(eq(indexedPayouts.environment, environment), hasTerms(terms, query)))
          .limit(mostCompared)
        return found.map((row) => ({ ...row, name: parseStoredPayout(row.record).destination.accountHolderName }))
      })
      return rows.map(({ record }) => {
        const payout = parseStoredPayout(record)
        const hint = [payout.xid, moneyText(payout.destinationAmount, payout.destinationCurrency)]
        return {
          id: payout.id,
          label: payout.destination.accountHolderName,
          hint: hint.filter(Boolean).join(' · '),
          status: payout.status,
        }
      })
    },
  },
  transaction: {
    needs: 'accounts.read',
    async find(query) {
      const found = await Promise.all([
        transactionsById(query),
        transactionsOfAccount(query),
        transactionsOfMerchants(query),
        transactionsByAmount(query),
      ])
      return unique(found.flat()).slice(0, mostOfAKind)
    },
  },
  fee: {
    needs: 'accounts.read',
    find: feesById,
  },
  webhook: {
    needs: 'webhooks.read',
    async find({ environment, q }) {
      const { id, name, url, statsStatus, environment: ofWebhook } = watchedWebhooks
      const rows = await indexDatabase()
        .select({ id, name, url, statsStatus })
        .from(watchedWebhooks)
        .where(and(eq(ofWebhook, environment), holdsText([name, url, id], q)))
        .limit(mostOfAKind)
      return rows.map((row) => ({
        id: row.id,
        label: row.name ?? row.url,
        hint: row.name === null ? null : row.url,
        status: row.statsStatus,
      }))
    },
  },
  request: {
    needs: 'audit.read',
    async find({ environment, q }) {
      if (!mayBeId(q)) return []
      const { id, method, path, status, requestId, consoleRequestId } = serviceRequests
      const spellings = [...new Set([q, q.toLowerCase()])]
      const rows = await indexDatabase()
        .select({ id, method, path, status })
        .from(serviceRequests)
        .where(
          and(
            eq(serviceRequests.environment, environment),
            or(inArray(requestId, spellings), inArray(consoleRequestId, spellings)),
          ),
        )
        .orderBy(desc(id))
        .limit(mostOfAKind)
      return rows.map((row) => ({
        id: String(row.id),
        label: `${row.method} ${row.path}`,
        hint: row.status === null ? 'No response' : String(row.status),
        status: null,
      }))
    },
  },
  audit: {
    needs: 'audit.read',
    async find({ environment, q }) {
      if (!mayBeId(q)) return []
      const { number, act, targetLabel, outcome, requestId, operationId, environment: ofEntry } = auditEntries
      const rows = await indexDatabase()
        .select({ number, act, targetLabel, outcome })
        .from(auditEntries)
        .where(
          and(
            or(
              inArray(requestId, [...new Set([q, q.toLowerCase()])]),
              isUuid(q) ? eq(operationId, q.toLowerCase()) : undefined,
            ),
            or(eq(ofEntry, environment), isNull(ofEntry)),
          ),
        )
        .orderBy(desc(number))
        .limit(mostOfAKind)
      return rows.map((row) => ({
        id: String(row.number),
        label: row.act,
        hint: row.targetLabel,
        status: row.outcome,
      }))
    },
  },
} as const satisfies Record<string, Searcher>

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

/** An id or an external id: one word with a digit, of some length. Only such a text is worth a request to the service. */
function mayBeId(q: string): boolean {
  return q.length >= 6 && /\d/.test(q) && !/\s/.test(q)
}

/**
 * Returns the records that the service found; none where it refuses the text, does not respond, or responds too late.
 */
async function ofService<Response, Record>(
  request: Promise<Response>,
  listRecords: (response: Response) => readonly Record[],
  timeoutMs = serviceTimeoutMs,
): Promise<readonly Record[]> {
  const records = nullOn(request.then(listRecords))
  return (await Promise.race([records, delay(timeoutMs, null, { ref: false })])) ?? []
}

/** Longer than this, a person does not wait for a status that the index has, too. */
const freshTimeoutMs = 250

/**
 * The statuses of cards as the service has them now. The palette offers actions by them, and the index learns of a change that no
 * event reports only with its next reading.
 */
async function statusesNow(environment: Environment, of: readonly FoundCard[]) {
  const accountIds = uniqueIds(of.map(({ cardAccountId }) => cardAccountId)).slice(0, mostOfAKind)
  const cards = await Promise.all(
    accountIds.map((id) => ofService(readCards(environment, id), (own) => own, freshTimeoutMs)),
  )
  return new Map(cards.flat().map(({ id, status }) => [id, status]))
}

const transactionColumns = {
  id: indexedTransactions.id,
  cardAccountId: indexedTransactions.cardAccountId,
  merchantName: indexedTransactions.merchantName,
  description: indexedTransactions.description,
  amount: indexedTransactions.amount,
  currency: indexedTransactions.currency,
  status: indexedTransactions.status,
}

async function newestTransactions(environment: Environment, condition: SQL | undefined): Promise<Hit[]> {
  const rows = await indexDatabase()
    .select(transactionColumns)
    .from(indexedTransactions)
    .where(and(eq(indexedTransactions.environment, environment), condition))
    .orderBy(desc(indexedTransactions.createdAt))
    .limit(mostOfAKind)
  return rows.map((row) => ({
    id: row.id,
    parentId: row.cardAccountId,
    label: row.merchantName ?? row.description,
    hint: moneyText(row.amount, row.currency) || null,
    status: row.status,
  }))
}

/** By the whole id or external id, or an end of the id. */
async function transactionsById({ environment, q, text }: Query): Promise<Hit[]> {
  const { id, searchText } = indexedTransactions
  const typed = q.toLowerCase()
  if (text.id === null || /\s/.test(typed)) return []
  const escaped = escapeLike(typed)
  const [whole] = await indexDatabase()
    .select({ id })
    .from(indexedTransactions)
    .where(and(eq(indexedTransactions.environment, environment), sql`lower(${id}) = ${typed}`))
    .limit(1)
  if (whole) return newestTransactions(environment, eq(id, whole.id))
  // The index of the search text finds the rows; sorting them keeps PostgreSQL from walking all of them by their time.
  const rows = await indexDatabase().execute<{ id: string }>(sql`
    with found as materialized (
      select id, lower(id) as lower, lower(xid) as xid from ${indexedTransactions}
      where environment = ${environment} and ${searchText} like ${`%${escaped}%`} limit ${mostCompared})
    select id from found where lower like ${`${escaped}%`} or lower like ${`%${escaped}`} or xid = ${typed} limit ${mostOfAKind}`)
  const ids = rows.rows.map((row) => row.id)
  return ids.length === 0 ? [] : newestTransactions(environment, inArray(id, ids))
}

/** By the whole id or an end of it, or by the external id of its transaction. */
async function feesById({ environment, q, text }: Query): Promise<Hit[]> {
  const typed = q.toLowerCase()
  if (text.id === null || /\s/.test(typed)) return []
  const escaped = escapeLike(typed)
  const { rows } = await indexDatabase().execute<
    Record<'id' | 'intent' | 'amount' | 'currency' | 'status', string | null> & { id: string }
  >(sql`
    with found as materialized (
      select id, lower(id) as lower, lower(transaction_xid) as xid, intent, amount, currency, status from ${indexedFees}
      where environment = ${environment} and search_text like ${`%${escaped}%`} limit ${mostCompared})
    select * from found where lower like ${`${escaped}%`} or lower like ${`%${escaped}`} or xid = ${typed} limit ${mostOfAKind}`)
  return rows.map(({ id, intent, amount, currency, status }) => ({
    id,
    label: intent,
    hint: moneyText(amount, currency) || null,
    status,
  }))
}

/** Transactions of the open account, by any of their texts. */
async function transactionsOfAccount({ environment, q, cardAccountId }: Query): Promise<Hit[]> {
  if (cardAccountId === undefined || q.length < shortestText) return []
  const { searchText, amount } = indexedTransactions
  const exact = parseAmount(q)
  return newestTransactions(
    environment,
    and(
      eq(indexedTransactions.cardAccountId, cardAccountId),
      or(sql`${searchText} like ${`%${escapeLike(q.toLowerCase())}%`}`, exact === null ? undefined : eq(amount, exact)),
    ),
  )
}

/** A merchant with more transactions than this has further ones in the list. */
const mostMerchants = 3

/** The newest of the merchants whose names are closest. */
async function transactionsOfMerchants({ environment, text }: Query): Promise<Hit[]> {
  const { name, terms } = indexedMerchants
  const merchants = await closest(text, async (query) => {
    const rows = await indexDatabase()
      .select({ name, terms: termsArray(terms) })
      .from(indexedMerchants)
      .where(and(eq(indexedMerchants.environment, environment), hasTerms(terms, query)))
      .limit(mostCompared)
    return rows.map((row) => ({ ...row, id: row.name, at: null }))
  })
  const found = await Promise.all(
    merchants
      .slice(0, mostMerchants)
      .map((merchant) =>
        newestTransactions(environment, sql`lower(${indexedTransactions.merchantName}) = ${merchant.name}`),
      ),
  )
  return found.flat()
}

async function transactionsByAmount({ environment, q }: Query): Promise<Hit[]> {
  const exact = parseAmount(q)
  if (exact === null || q.length < shortestText) return []
  const currencies = await readCurrencies(environment)
  if (currencies.length === 0) return []
  const { amount, currency } = indexedTransactions
  return newestTransactions(environment, and(inArray(currency, currencies), eq(amount, exact)))
}

/** A shorter text matches too much. */
const shortestText = 2

/** `1,234.50` as the index has it, `1234.5`; null for text that is not an amount. */
function parseAmount(q: string): string | null {
  const read = readAmount(q)
  return 'amount' in read ? read.amount : null
}

function unique(hits: readonly Hit[]): Hit[] {
  const byId = new Map(hits.toReversed().map((hit) => [hit.id.toLowerCase(), hit]))
  return uniqueIds(hits.map(({ id }) => id)).flatMap((id) => byId.get(id.toLowerCase()) ?? [])
}

/** Whether one of the columns holds the text, in any case. For small tables. */
function holdsText(columns: readonly AnyPgColumn[], text: string): SQL | undefined {
  return or(...columns.map((column) => ilike(column, `%${escapeLike(text)}%`)))
}
