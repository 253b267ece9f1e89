import 'server-only'
import { and, desc, eq, inArray, isNotNull, isNull, or } from 'drizzle-orm'
import { mostCases } from '#lib/api/embed-view.ts'
import { database } from '#lib/db/connection.ts'
import { accountNotFound, readAccountWithCards } from '#lib/index/account.ts'
import { newestFirst } from '#lib/index/conditions.ts'
import { toIndexedTransaction } from '#lib/index/transactions.ts'
import { nullOn } from '#lib/shared/app-error.ts'
import { sameId, uniqueIds } from '#lib/shared/ids.ts'
import { present } from '#lib/shared/provided.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { operations } from '#lib/tables/operations.ts'
import { notes } from '#lib/tables/team.ts'
import { indexedTransactions as transaction, isOpenDisputeSql } from '#lib/tables/transactions.ts'
import { listTransactions } from '../transactions/list.ts'
import type { EmbedCustomer } from './token.ts'
import type { EmbedReading, WaitingOperation } from './types.ts'

const mostDeclines = 5

/** The card accounts of a customer with what support is asked about. Throws `CARD_ACCOUNT_NOT_FOUND` where none exists any more. */
export async function readCustomer(
  environment: Environment,
  { cardAccountIds, foundBy }: EmbedCustomer,
): Promise<Pick<EmbedReading, 'records' | 'fetchedAt' | 'isStored'>> {
  const [found, declines] = await Promise.all([
    Promise.all(cardAccountIds.map((id) => nullOn(readAccountWithCards(environment, id), 'CARD_ACCOUNT_NOT_FOUND'))),
    readDeclines(environment, cardAccountIds),
  ])
  const read = present(found)
  if (read.length === 0) throw accountNotFound()
  const accounts = read.map(({ account, cards }) => ({ account, cards }))
  const ids = uniqueIds([...cardAccountIds, ...accounts.map(({ account }) => account.id)])
  const [disputes, waiting] = await Promise.all([
    listIndexed(environment, ids, 'disputed'),
    listWaiting(
      environment,
      ids,
      accounts.flatMap(({ cards }) => cards),
    ),
  ])
  return {
    records: { type: 'customer', foundBy, accounts, declines, disputes, operations: waiting },
    fetchedAt: read.map(({ freshness }) => freshness.asOf).toSorted()[0] ?? new Date().toISOString(),
    isStored: read.some(({ freshness }) => freshness.source === 'index'),
  }
}

/** The last declined transactions; as the index has them while the service does not respond. */
async function readDeclines(environment: Environment, accountIds: readonly string[]) {
  const search = { status: 'declined', pageSize: mostDeclines }
  const pages = await Promise.all(accountIds.map((id) => nullOn(listTransactions(environment, id, search))))
  if (pages.includes(null)) return listIndexed(environment, accountIds, 'declined')
  return (
    present(pages)
      .flatMap(({ transactions }) => transactions)
      // The service may give no status.
      .filter(({ status }) => status === 'declined')
      .toSorted((one, other) => ((one.createdAt ?? '') < (other.createdAt ?? '') ? 1 : -1))
      .slice(0, mostDeclines)
  )
}

async function listIndexed(environment: Environment, accountIds: readonly string[], which: 'declined' | 'disputed') {
  const rows = await database()
    .select()
    .from(transaction)
    .where(
      and(
        eq(transaction.environment, environment),
        inArray(transaction.cardAccountId, [...accountIds]),
        which === 'declined' ? eq(transaction.status, 'declined') : isOpenDisputeSql('dispute_status'),
      ),
    )
    .orderBy(newestFirst(transaction.createdAt), desc(transaction.id))
    .limit(which === 'declined' ? mostDeclines : mostCases)
  return rows.map(toIndexedTransaction)
}

/**
 * Operations that wait for an approval, for the service or for the settlement of their outcome, and call-backs that are not done, the newest
 * first.
 */
async function listWaiting(
  environment: Environment,
  accountIds: readonly string[],
  cards: readonly { id: string; cardAccountId: string | null }[],
): Promise<WaitingOperation[]> {
  const isAbout = ({ targetId, targetParentId }: typeof operations | typeof notes) =>
    or(inArray(targetId, [...accountIds, ...cards.map(({ id }) => id)]), inArray(targetParentId, [...accountIds]))
  const [changes, callBacks] = await Promise.all([
    database()
      .select()
      .from(operations)
      .where(
        and(
          eq(operations.environment, environment),
          isAbout(operations),
          inArray(operations.state, ['queued', 'waiting', 'approved', 'sending', 'unknown']),
        ),
      )
      .orderBy(desc(operations.createdAt))
      .limit(mostCases),
    database()
      .select()
      .from(notes)
      .where(
        and(eq(notes.environment, environment), isAbout(notes), isNotNull(notes.ticketOrigin), isNull(notes.doneAt)),
      )
      .orderBy(desc(notes.createdAt))
      .limit(mostCases),
  ])
  const rows = [
    ...changes,
    ...callBacks.map((note) => ({ ...note, kind: 'call-back', state: note.takenAt ? 'taken' : 'open' })),
  ]
  return rows
    .toSorted((one, other) => other.createdAt.getTime() - one.createdAt.getTime())
    .slice(0, mostCases)
    .map((row) => ({
      kind: row.kind,
      state: row.state,
      targetType: row.targetType,
      targetId: row.targetId,
      targetLabel: row.targetLabel,
      cardAccountId:
        row.targetParentId ?? cards.find(({ id }) => sameId(id, row.targetId))?.cardAccountId ?? row.targetId,
      createdAt: row.createdAt.toISOString(),
    }))
}
