import { randomUUID } from 'node:crypto'
import { and, eq, sql } from 'drizzle-orm'
import { unboundCardLimit } from '#lib/contract/card-terms.ts'
import type { Queryable } from '#lib/db/connection.ts'
import { lockCardRow } from '../card-changes.ts'
import { issueCardNumber, sealCardNumber } from '../card-number.ts'
import { scheduleProduction } from '../card-production.ts'
import { toCard } from '../card-record.ts'
import { recordEvent } from '../events.ts'
import { claimXid } from '../external-ids.ts'
import { errorOfIssues, type FieldIssue } from '../field-issues.ts'
import type { Handlers, Rule } from '../handler.ts'
import { requireLockedAccount } from '../ledger/locks.ts'
import { cardAccounts } from '../tables/card-accounts.ts'
import { cards, products } from '../tables/cards.ts'

const validYears = 4

export const issueCardHandlers = {
  issueCard: async ({ body }, { db, now, cardNumberKey }) => {
    const account = await requireLockedAccount(db, body.cardAccountId)
    const issues = await productIssues(db, body)
    if (issues.length > 0) throw errorOfIssues(issues)
    const [individual] = await db
      .select({ email: sql<string | null>`${cardAccounts.individual} ->> 'email'` })
      .from(cardAccounts)
      .where(eq(cardAccounts.id, account.id))

    const id = randomUUID()
    const number = issueCardNumber()
    if (body.xid) await claimXid(db, body.xid, { type: 'card', id })
    await db.insert(cards).values({
      id,
      cardAccountId: account.id,
      xid: body.xid ?? null,
      xmetadata: body.xmetadata ?? null,
      status: body.type === 'virtual' ? 'active' : 'pending-issue',
      embossedName: body.embossedName,
      productId: body.productId,
      expiryMonth: now.getUTCMonth() + 1,
      expiryYear: now.getUTCFullYear() + validYears,
      last4: number.slice(-4),
      sealedNumber: sealCardNumber(number, id, cardNumberKey),
      ...unboundLimits,
      mobile: account.phoneNumber,
      cardEmail: individual?.email ?? null,
      createdAt: now,
    })
    if (body.type === 'physical') await scheduleProduction(db, now, id)
    const card = toCard(await lockCardRow(db, now, { cardAccountId: account.id, cardId: id }))
    await recordEvent(db, now, 'card.updated', card)
    return card
  },
} satisfies Handlers<'issueCard'>

/** Reported together with other issues of the request; without any, the handler reports it after an unknown account. */
export const productRule: Rule<'issueCard'> = async ({ body, wrong }, { db }) =>
  wrong.size === 0 ? [] : productIssues(db, body)

/** The product is one of the seed; where the type is known, it is a product for cards of that type. */
async function productIssues(
  db: Queryable,
  { productId, type }: { productId?: string | undefined; type?: 'virtual' | 'physical' | undefined },
): Promise<FieldIssue[]> {
  if (productId === undefined) return []
  const [product] = await db
    .select({ id: products.id })
    .from(products)
    .where(and(eq(products.id, productId), type === undefined ? undefined : eq(products.cardType, type)))
  const wanted = type === undefined ? 'must be a product' : `must be a product for ${type} cards`
  return product ? [] : [{ path: 'productId', message: wanted }]
}

const unbound = String(unboundCardLimit)

/** A new card's own limits never bind below the account's limit, whatever that becomes and however often it is used up. */
const unboundLimits = {
  cardLimit: unbound,
  dailyLimit: unbound,
  dailyPurchaseLimit: unbound,
  dailyAtmLimit: unbound,
  singleTransactionLimit: unbound,
  cardPresentLimit: unbound,
  cardNotPresentLimit: unbound,
}
