import 'server-only'
import { setTimeout as delay } from 'node:timers/promises'
import { and, desc, eq, ilike, inArray, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { z } from 'zod'
import { database } from '#lib/db/connection.ts'
import { isUuid, uniqueIds } from '#lib/shared/ids.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { secondMs } from '#lib/shared/time.ts'
import { orNull } from './desk/app-error.ts'
import { escapeLike, newestFirst } from './desk/conditions.ts'
import { requireService } from './desk/connections/environments.ts'
import { directoryCoverage } from './desk/mirror/accounts-sync.ts'
import { readCardsOf } from './desk/mirror/cards-sync.ts'
import { conditionOf } from './desk/mirror/filter.ts'
import { parseSearch, plainText, ServiceId } from './desk/parse.ts'
import { permissionsOf, type Permission } from './desk/permissions.ts'
import { requirePermission } from './desk/session/session.ts'
import { auditEntries } from './desk/tables/audit.ts'
import { directoryAccounts, directoryCards } from './desk/tables/directory.ts'
import { inboxEvents } from './desk/tables/inbox.ts'
import { directoryPayouts } from './desk/tables/payouts.ts'
import { watchedWebhooks } from './desk/tables/webhooks.ts'
import { fetchFees } from './fees/read.ts'
import { payoutCondition } from './payouts/filter.ts'
import { payoutOf } from './payouts/record.ts'
import { listTransactions, type TransactionFilters } from './transactions/list.ts'

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
  /** The account of the page that the search began on: its transactions are looked up at the service. */
  cardAccountId: ServiceId.optional(),
})
export type ConsoleSearch = z.input<typeof Search>

type Query = { environment: Environment; q: string; cardAccountId: string | undefined }
type Searcher = { needs: Permission; find: (query: Query) => Promise<Hit[]> }

/** The maximum number of results of a kind; the pages with filters show longer lists. */
const mostOfAKind = 7
/** A service that responds slower than this has nothing for a search as one types. */
const serviceTimeoutMs = 2 * secondMs

/**
 * The kinds of records that are searched, with the permission of each, the most common first. To search another kind,
 * add its row here and one in `found-table.tsx`.
 */
const searchers = {
  card: {
    needs: 'accounts.read',
    async find({ environment, q }) {
      if (!/^\d{4}$/.test(q)) return []
      const { id, cardAccountId, last4, status, environment: ofCard } = directoryCards
      const rows = await database()
        .select({ id, cardAccountId, last4, status, name: directoryAccounts.name, xid: directoryAccounts.xid })
        .from(directoryCards)
        .leftJoin(
          directoryAccounts,
          and(eq(directoryAccounts.environment, ofCard), eq(directoryAccounts.id, cardAccountId)),
        )
        .where(and(eq(ofCard, environment), eq(last4, q)))
        .limit(mostOfAKind)
      const statuses = await statusesNow(
        environment,
        rows.map((row) => row.cardAccountId),
      )
      return rows.map((row) => ({
        id: row.id,
        parentId: row.cardAccountId,
        label: row.last4,
        hint: row.name ?? row.xid,
        status: statuses.get(row.id) ?? row.status,
      }))
    },
  },
  cardaccount: {
    needs: 'accounts.read',
    async find({ environment, q }) {
      const { id, name, xid, currency, createdAt } = directoryAccounts
      const rows = await database()
        .select({ id, name, xid, currency })
        .from(directoryAccounts)
        .where(conditionOf(environment, { q }))
        .orderBy(desc(createdAt), desc(id))
        .limit(mostOfAKind)
      return rows.map((row) => ({
        id: row.id,
        label: row.name ?? row.xid,
        hint: [row.name === null ? null : row.xid, row.currency].filter(Boolean).join(' · '),
        status: null,
      }))
    },
  },
  payout: {
    needs: 'payouts.read',
    async find({ environment, q }) {
      const { record, createdAt, id } = directoryPayouts
      const rows = await database()
        .select({ record })
        .from(directoryPayouts)
        .where(payoutCondition(environment, { q }))
        .orderBy(desc(createdAt), desc(id))
        .limit(mostOfAKind)
      return rows.map((row) => {
        const payout = payoutOf(row.record)
        const amount = [payout.destinationAmount, payout.destinationCurrency].filter(Boolean).join(' ')
        const hint = [payout.xid, amount].filter(Boolean).join(' · ')
        return {
          id: payout.id,
          label: payout.destination.accountHolderName,
          hint,
          status: payout.status,
        }
      })
    },
  },
  transaction: {
    needs: 'accounts.read',
    async find({ environment, q, cardAccountId }) {
      const isId = mayBeId(q)
      const ofOpenAccount = (filters: TransactionFilters) =>
        cardAccountId === undefined
          ? []
          : ofService(listTransactions(environment, cardAccountId, filters), ({ transactions }) => transactions)
      const [received, byId, newest, ofFees] = await Promise.all([
        receivedTransactions(environment, q),
        isId ? ofOpenAccount({ find: q, pageSize: 3 }) : [],
        q.length >= shortestText ? ofOpenAccount({ pageSize: 100 }) : [],
        isId
          ? ofService(feesBy(environment, { xid: q }), (fees) =>
              fees.flatMap(({ transaction }) => (transaction && 'cardAccountId' in transaction ? [transaction] : [])),
            )
          : [],
      ])
      const ofAccount = [...byId, ...newest.filter((one) => matchesText(one, q))]
      const found = [...ofAccount, ...ofFees].flatMap((one) =>
        one.id !== null && one.cardAccountId !== null
          ? [
              {
                id: one.id,
                parentId: one.cardAccountId,
                label: ('merchant' in one ? one.merchant?.name : null) ?? one.description,
                hint: amountText(one.amount, one.currency),
                status: one.status,
              },
            ]
          : [],
      )
      return unique([...found, ...received]).slice(0, mostOfAKind)
    },
  },
  fee: {
    needs: 'accounts.read',
    async find({ environment, q }) {
      if (!mayBeId(q)) return []
      const [byId, byXid] = await Promise.all(
        [{ feeId: q }, { xid: q }].map((filter) => ofService(feesBy(environment, filter), (fees) => fees)),
      )
      return unique(
        [...(byId ?? []), ...(byXid ?? [])].map((fee) => ({
          id: fee.id,
          label: fee.intent,
          hint: amountText(fee.amount, fee.currency),
          status: fee.status,
        })),
      )
    },
  },
  webhook: {
    needs: 'webhooks.read',
    async find({ environment, q }) {
      const { id, name, url, statsStatus, environment: ofWebhook } = watchedWebhooks
      const rows = await database()
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
  audit: {
    needs: 'audit.read',
    async find({ environment, q }) {
      if (!mayBeId(q)) return []
      const { number, act, targetLabel, outcome, requestId, operationId, environment: ofEntry } = auditEntries
      const rows = await database()
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
 * Finds records of every kind that this person may read: card accounts, cards by their last four digits, payouts, webhooks by
 * text; fees and audit entries by their ids; transactions by id, merchant, last four digits or amount, those of the open
 * account and those that recent events report. What needs a request to the service comes only if it responds in time.
 * `isReading` is true where nothing was found while the first reading of all accounts and cards is under way.
 */
export async function searchConsole(
  environment: Environment,
  search: ConsoleSearch,
): Promise<{ found: Found[]; isReading: boolean }> {
  const staff = await requirePermission('accounts.read', environment)
  const { q = '', cardAccountId } = parseSearch(Search, search)
  requireService(environment)
  const query = { environment, q: q.trim(), cardAccountId }
  if (query.q === '') return { found: [], isReading: false }
  const permissions = permissionsOf(staff.role, environment)
  const kinds = (Object.keys(searchers) as SearchedKind[]).filter((kind) => permissions.includes(searchers[kind].needs))
  const hits = await Promise.all(
    kinds.map(async (kind) => (await searchers[kind].find(query)).map((hit) => ({ kind, parentId: null, ...hit }))),
  )
  const found = hits.flat()
  return { found, isReading: found.length === 0 && (await isReading(environment)) }
}

async function isReading(environment: Environment): Promise<boolean> {
  const [{ asOf }, unread] = await Promise.all([
    directoryCoverage(environment),
    database()
      .select({ id: directoryAccounts.id })
      .from(directoryAccounts)
      .where(and(eq(directoryAccounts.environment, environment), isNull(directoryAccounts.cardsReadAt)))
      .limit(1),
  ])
  return asOf === null || unread.length > 0
}

/** An id or an external id: one word with a digit, of some length. Only such a text is worth a request to the service. */
function mayBeId(q: string): boolean {
  return q.length >= 6 && /\d/.test(q) && !/\s/.test(q)
}

async function feesBy(environment: Environment, filter: { feeId?: string; xid?: string }) {
  return (await fetchFees(environment, { ...filter, pageSize: 3 })).response.fees
}

/**
 * Returns the records that the service found; none where it refuses the text, does not respond, or responds too late.
 */
async function ofService<Response, Record>(
  request: Promise<Response>,
  recordsOf: (response: Response) => readonly Record[],
  timeoutMs = serviceTimeoutMs,
): Promise<readonly Record[]> {
  const records = orNull(request.then(recordsOf))
  return (await Promise.race([records, delay(timeoutMs, null, { ref: false })])) ?? []
}

/** Longer than this, a person does not wait for a status that the mirror has, too. */
const freshTimeoutMs = 250

/**
 * The statuses of cards as the service has them now. The palette offers actions by them, and the mirror learns of a change that no
 * event reports, such as a reset of the sandbox, only with its next reading.
 */
async function statusesNow(environment: Environment, accountIds: readonly string[]) {
  const cards = await Promise.all(
    uniqueIds(accountIds).map((id) => ofService(readCardsOf(environment, id), (own) => own, freshTimeoutMs)),
  )
  return new Map(cards.flat().map(({ id, status }) => [id, status]))
}

const ReceivedTransaction = z.object({
  data: z.object({
    description: z.string().nullish(),
    merchant: z.object({ name: z.string().nullish() }).nullish(),
    cardLast4: z.string().nullish(),
    amount: z.number().nullish(),
    currency: z.string().nullish(),
    status: z.string().nullish(),
  }),
})
type SearchedTransaction = z.output<typeof ReceivedTransaction>['data']

/** A shorter text matches too much. */
const shortestText = 2
/** The text is searched in this many of the newest transaction events: their bodies have no index. */
const searchedEvents = 2000

/**
 * The interface finds transactions only within an account: events say which account a transaction is of. An id is found
 * among all events, other texts among the newest.
 */
async function receivedTransactions(environment: Environment, q: string): Promise<Hit[]> {
  const { transactionId, cardAccountId, body, position, environment: ofEvent } = inboxEvents
  const fields = { transactionId, cardAccountId, body, position }
  const ofTransaction = and(eq(ofEvent, environment), isNotNull(transactionId))
  const newest = database()
    .select(fields)
    .from(inboxEvents)
    .where(ofTransaction)
    .orderBy(newestFirst(position))
    .limit(searchedEvents)
    .as('newest')
  const [byId, byText] = await Promise.all([
    database()
      .select(fields)
      .from(inboxEvents)
      .where(and(ofTransaction, sql`lower(${transactionId}) = ${q.toLowerCase()}`))
      .orderBy(newestFirst(position))
      .limit(1),
    q.length < shortestText
      ? []
      : database()
          .select()
          .from(newest)
          .where(holdsText([newest.body], amountOf(q) ?? q))
          .orderBy(desc(newest.position))
          .limit(mostOfAKind * 10),
  ])
  const hits = [...byId, ...byText].flatMap((row) => {
    if (row.transactionId === null || row.cardAccountId === null) return []
    const data = ReceivedTransaction.safeParse(JSON.parse(row.body)).data?.data ?? {}
    if (!byId.includes(row) && !matchesText(data, q)) return []
    return {
      id: row.transactionId,
      parentId: row.cardAccountId,
      label: data.merchant?.name ?? data.description ?? null,
      hint: amountText(data.amount, data.currency),
      status: data.status ?? null,
    }
  })
  return unique(hits)
}

/** Whether a person would say that this is the transaction: by its merchant, its card's last four digits or its amount. */
function matchesText(transaction: SearchedTransaction, q: string): boolean {
  const wanted = q.toLowerCase()
  const texts = [transaction.merchant?.name, transaction.description]
  return (
    texts.some((text) => text?.toLowerCase().includes(wanted)) ||
    transaction.cardLast4 === q ||
    (typeof transaction.amount === 'number' && amountOf(q) === String(transaction.amount))
  )
}

/** `1,234.50` as JSON has it, `1234.5`; null for text that is not an amount. */
function amountOf(q: string): string | null {
  return /^\d[\d,]*(?:\.\d+)?$/.test(q) ? String(Number(q.replaceAll(',', ''))) : null
}

function amountText(amount: number | null | undefined, currency: string | null | undefined): string | null {
  return [amount, currency].filter((part) => part !== null && part !== undefined).join(' ') || null
}

function unique(hits: readonly Hit[]): Hit[] {
  const byId = new Map(hits.toReversed().map((hit) => [hit.id.toLowerCase(), hit]))
  return uniqueIds(hits.map(({ id }) => id)).flatMap((id) => byId.get(id.toLowerCase()) ?? [])
}

/** Whether one of the columns holds the text, in any case. For small tables. */
function holdsText(columns: readonly AnyPgColumn[], text: string): SQL | undefined {
  return or(...columns.map((column) => ilike(column, `%${escapeLike(text)}%`)))
}
