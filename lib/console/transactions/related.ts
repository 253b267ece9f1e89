import 'server-only'
import type { CardAccountTransaction } from '#lib/contract/records.ts'
import { sameId } from '#lib/shared/ids.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { fetchPages } from '../desk/connections/paginate.ts'
import type { RelatedEntries, RelatedEntry } from './shapes.ts'

const maximumPages = 5
const most = 5

/** The refunds of a charge, the charges that a refund may be for; other entries have none that the interface could name. */
export async function findRelated(
  environment: Environment,
  cardAccountId: string,
  transaction: CardAccountTransaction,
): Promise<RelatedEntries> {
  const { intent, cardId, createdAt } = transaction
  if (intent !== 'charge' && intent !== 'refund') return { entries: [], isWhole: true }
  const relation = intent === 'charge' ? 'refund' : 'charge'
  const range = relation === 'refund' ? 'dateRangeFrom' : 'dateRangeTo'
  const query = {
    cardAccountId,
    ...(cardId === null ? {} : { cardId }),
    intent: [relation],
    ...(createdAt === null ? {} : { [range]: createdAt }),
  }
  const found: CardAccountTransaction[] = []
  let isWhole = true
  for await (const page of fetchPages(environment, 'listCardAccountTransactions', query, { maximumPages })) {
    found.push(...page.response.transactions)
    isWhole = isWhole && page.excluded === 0 && (page.hasMore === 'no' || page.hasMore === 'next')
  }
  return { entries: relatedAmong(transaction, relation, found), isWhole }
}

/** Those with the same reference; where there are none, those that look alike. */
function relatedAmong(
  transaction: CardAccountTransaction,
  relation: RelatedEntry['relation'],
  found: readonly CardAccountTransaction[],
): RelatedEntry[] {
  const others = found.filter(({ id, status }) => !sameId(id, transaction.id) && status !== 'declined')
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
  if (refund.amount === null || refund.currency === null) return false
  if (refund.amount !== charge.amount || refund.currency !== charge.currency) return false
  if (refund.cardId !== charge.cardId && !sameId(refund.cardId, charge.cardId)) return false
  const labels = (refund.description ?? '').toLowerCase()
  return [charge.description, charge.merchant?.name].some(
    (name) => Boolean(name) && labels.includes(name?.toLowerCase() ?? ''),
  )
}
