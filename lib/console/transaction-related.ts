import 'server-only'
import type { CardAccountTransaction } from '#lib/contract/records.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { askService } from './environments.ts'

/**
 * An entry that belongs to another one: `refund` of a charge, `charge` that a refund is for. Certain where both bear the same
 * reference; otherwise amount, card and description say so, and nothing more.
 */
export type RelatedEntry = {
  relation: 'refund' | 'charge'
  isCertain: boolean
} & Pick<
  CardAccountTransaction,
  'id' | 'createdAt' | 'status' | 'amount' | 'currency' | 'entryType' | 'description' | 'refId'
>

export type RelatedEntries = {
  entries: RelatedEntry[]
  /** False where the account has more candidates than were looked at. */
  isWhole: boolean
}

const pages = 5
const most = 5

/** The refunds of a charge, the charges that a refund may be for; other entries have none that the interface could name. */
export async function findRelated(
  environment: Environment,
  transaction: CardAccountTransaction,
): Promise<RelatedEntries> {
  const { intent, cardAccountId, cardId, createdAt } = transaction
  if (intent !== 'charge' && intent !== 'refund') return { entries: [], isWhole: true }
  const relation = intent === 'charge' ? 'refund' : 'charge'
  const query = {
    cardAccountId,
    ...(cardId ? { cardId } : {}),
    intent: [relation],
    ...(relation === 'refund' ? { dateRangeFrom: createdAt } : { dateRangeTo: createdAt }),
    pageSize: '100',
  }
  const found: CardAccountTransaction[] = []
  let pageToken: string | null = null
  for (let page = 0; page < pages; page++) {
    const asked: { answer: { transactions: CardAccountTransaction[]; nextPageToken: string | null } } =
      await askService(environment, 'listCardAccountTransactions', {
        query: pageToken === null ? query : { ...query, pageToken },
      })
    found.push(...asked.answer.transactions)
    pageToken = asked.answer.nextPageToken
    if (pageToken === null) break
  }
  return { entries: relatedAmong(transaction, relation, found), isWhole: pageToken === null }
}

/** Those with the same reference; where there are none, those that look alike. */
export function relatedAmong(
  transaction: CardAccountTransaction,
  relation: RelatedEntry['relation'],
  found: readonly CardAccountTransaction[],
): RelatedEntry[] {
  const others = found.filter(({ id, status }) => id !== transaction.id && status !== 'declined')
  const certain = others.filter(({ refId }) => Boolean(refId) && refId === transaction.refId)
  const chosen = certain.length > 0 ? certain : others.filter((other) => looksRelated(transaction, other))
  return chosen.slice(0, most).map(({ id, createdAt, status, amount, currency, entryType, description, refId }) => ({
    relation,
    isCertain: certain.length > 0,
    id,
    createdAt,
    status,
    amount,
    currency,
    entryType,
    description,
    refId,
  }))
}

function looksRelated(one: CardAccountTransaction, other: CardAccountTransaction): boolean {
  const [charge, refund] = one.intent === 'charge' ? [one, other] : [other, one]
  if (refund.amount !== charge.amount || refund.currency !== charge.currency) return false
  if ((refund.cardId ?? null) !== (charge.cardId ?? null)) return false
  const words = (refund.description ?? '').toLowerCase()
  return [charge.description, charge.merchant?.name].some(
    (name) => Boolean(name) && words.includes(name?.toLowerCase() ?? ''),
  )
}
