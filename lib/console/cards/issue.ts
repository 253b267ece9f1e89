import 'server-only'
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { IssueCard } from '#lib/contract/cards.ts'
import type { Card } from '#lib/contract/records.ts'
import { givenReferenceProblems, givenReferences } from '#lib/contract/xmetadata-rules.ts'
import { database } from '#lib/db/connection.ts'
import { requireService, type Accepted } from '#lib/environments/environments.ts'
import type { Fields } from '#lib/gate/action.ts'
import { readOneAccount } from '#lib/index/account.ts'
import { fetchCards, readCards } from '#lib/index/cards-sync.ts'
import { readOtherRecords, type OperationRow } from '#lib/operations/journal.ts'
import {
  OperationInput,
  hasResult,
  notDone,
  operationSpec,
  refusedFields,
  unreadable,
  type Confirmation,
  type Issues,
  type OperationRequest,
  accountTarget,
  accountTargetIn,
} from '#lib/operations/spec.ts'
import { cachedByCost } from '#lib/shared/cache.ts'
import { findById, sameId } from '#lib/shared/ids.ts'
import { canonicalJson } from '#lib/shared/json.ts'
import { ServiceId } from '#lib/shared/parse.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { nameWords } from '#lib/shared/texts.ts'
import { indexedCards } from '#lib/tables/card-accounts.ts'
import type { CardProduct } from './types.ts'

export const Issuance = OperationInput.extend({
  cardAccountId: ServiceId,
  type: IssueCard.shape.type,
  productId: ServiceId,
  embossedName: z.string('must be text').trim().pipe(IssueCard.shape.embossedName),
  xid: z.string('must be text').trim().max(1000),
  /** JSON; empty for none. */
  xmetadata: z.string('must be JSON').trim().max(1_000_000, 'is too long').default(''),
})

export const issuingOperations = {
  /** Issues a card on an account. `resultId` of the operation is the card's id. */
  'card.issue': operationSpec({
    endpoint: 'issueCard',
    input: Issuance,
    target: accountTargetIn,
    request: (input) => issueRequest(input),
    async check(input) {
      const { environment, cardAccountId } = input
      const { account } = await readOneAccount(environment, cardAccountId)
      const cards = await readCards(environment, account.id)
      return { target: accountTarget(cardAccountId, account.name), expected: expectIssuance(cards, input) }
    },
    readBack: (row, sent, accepted) => readBackIssued(row, row.targetId, sent, accepted),
    isShownBy: hasResult,
    changes: ({ targetId }) => [{ type: 'cardaccount', id: targetId }],
    fieldsOfError: (row) => refusedFields(row, issuanceFields),
  }),
}

export const issuanceFields = ['type', 'productId', 'embossedName', 'xid', 'xmetadata']

/** The cards of the account that could be taken for the new one. */
export function expectIssuance(cards: readonly Card[], input: z.output<typeof Issuance>): { idsBefore: string } {
  const alike = cards.filter((card) => isAlike(card, toBody(input)))
  return { idsBefore: alike.map(({ id }) => id).join(' ') }
}

/** The request for a card, or what is wrong with its references. */
export function issueRequest(input: z.output<typeof Issuance>): OperationRequest | Issues {
  const fields = givenReferenceProblems(input)
  if (Object.keys(fields).length > 0) return { fields }
  return { target: accountTarget(input.cardAccountId), body: toBody(input) }
}

function toBody({ type, cardAccountId, productId, embossedName, ...references }: z.output<typeof Issuance>) {
  return { type, cardAccountId, productId, embossedName, ...givenReferences(references) }
}

/** Whether a card may be the requested one: a value that the service does not provide does not exclude it. */
function isAlike({ embossedName, product, xid }: Card, sent: Fields): boolean {
  if (typeof sent.xid === 'string' && xid !== null && xid !== sent.xid) return false
  if (product?.id && !sameId(product.id, String(sent.productId))) return false
  return embossedName === null || nameWords(embossedName) === nameWords(String(sent.embossedName))
}

/**
 * The card that the response names, else the one that the service says replaced the operation's card, else the only one like the
 * request that the account did not have before.
 */
export async function readBackIssued(
  row: OperationRow,
  cardAccountId: string,
  sent: Fields,
  accepted: Accepted | null,
): Promise<Confirmation<Card>> {
  const { cards, excluded, hasMore } = await fetchCards(row.environment, cardAccountId)
  const isWhole = excluded === 0 && !hasMore
  const isOther = await readOtherRecords(row)
  const replacedBy = findById(cards, row.targetId)?.replacedBy ?? null
  const namedId = accepted?.resultId ?? row.resultId ?? replacedBy
  // A service may respond with the card that is replaced.
  const isResponseWrong = namedId !== null && isOther(namedId)
  const madeId = isResponseWrong ? null : namedId
  const matches = cards.filter((card) =>
    madeId ? sameId(card.id, madeId) : row.expected && !isOther(card.id) && isAlike(card, sent),
  )
  const [card] = matches
  const isMadeByOther = madeId !== null && !(accepted?.resultId ?? row.resultId) && !(card && isAlike(card, sent))
  if (isMadeByOther) {
    const detail = `The card service names a replacement that ${card ? 'is not as requested' : 'the account’s list doesn’t have'}.`
    return { verdict: 'partial', statusAfter: card?.status ?? null, resultId: madeId, detail, record: card ?? null }
  }
  if (!card && isWhole) return notDone('The account’s list has no such card.')
  if (!card || matches.length > 1) {
    return { ...unreadable('The account’s list doesn’t show which card this is.'), isResponseWrong }
  }
  const lacking = [
    ...(typeof sent.xid === 'string' && card.xid !== sent.xid ? ['external ID'] : []),
    ...('xmetadata' in sent && canonicalJson(card.xmetadata) !== canonicalJson(sent.xmetadata) ? ['metadata'] : []),
  ]
  return {
    verdict: lacking.length > 0 ? 'partial' : 'done',
    statusAfter: card.status,
    resultId: card.id,
    detail: lacking.length > 0 ? `The card was issued without its ${lacking.join(' and ')}.` : null,
    record: card,
  }
}

/** The products that cards of an environment have, by name: the interface has no list of products. */
export async function listCardProducts(environment: Environment): Promise<{ products: CardProduct[] }> {
  requireService(environment)
  const products = await cachedByCost(`card products ${environment}`, async () => {
    const { rows } = await database().execute<{ product: CardProduct }>(sql`
      select distinct on (record -> 'product' ->> 'id') record -> 'product' as product
      from ${indexedCards}
      where environment = ${environment} and record -> 'product' ->> 'id' <> ''
      order by record -> 'product' ->> 'id', read_at desc`)
    return rows.map(({ product }) => product)
  })
  return { products: products.toSorted((one, other) => (one.name ?? '').localeCompare(other.name ?? '')) }
}
