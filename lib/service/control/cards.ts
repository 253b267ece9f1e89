import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { mapCardLimits } from '#lib/contract/charge-rule.ts'
import { Amount, Uuid } from '#lib/contract/fields.ts'
import { amount } from '#lib/shared/money.ts'
import { lockCardRow } from '../card-changes.ts'
import { toCard } from '../card-record.ts'
import { recordEvent } from '../events.ts'
import { requireMinorUnit } from '../ledger/ledger.ts'
import { requireLockedAccount } from '../ledger/locks.ts'
import { cards } from '../tables/cards.ts'
import { changeRoute } from './control-route.ts'

const CardLimit = Amount.refine((limit) => limit >= 0, 'must be 0 or more').optional()
const limits = mapCardLimits(() => CardLimit)
const limitNames = Object.keys(limits) as (keyof typeof limits)[]

/** Fields of a card that no call of the interface sets. */
const CardChanges = z
  .strictObject({
    cardAccountId: Uuid,
    cardId: Uuid,
    ...limits,
    replacedBy: Uuid.optional(),
    expiryMonth: z.int('must be a whole number').min(1, 'must be 1 to 12').max(12, 'must be 1 to 12').optional(),
    expiryYear: z
      .int('must be a whole number')
      .min(2000, 'must be 2000 to 9999')
      .max(9999, 'must be 2000 to 9999')
      .optional(),
  })
  .refine(({ cardAccountId: _account, cardId: _card, ...changes }) => Object.keys(changes).length > 0, {
    path: ['cardLimit'],
    message: `is required, or another limit (${limitNames.join(', ')}), replacedBy, expiryMonth or expiryYear`,
  })

export const cardRoutes = [
  changeRoute({
    path: '/cards/set',
    body: CardChanges,
    async change(change, { cardAccountId, cardId, ...given }) {
      const account = await requireLockedAccount(change.db, cardAccountId)
      await lockCardRow(change, { cardAccountId, cardId })
      if (given.replacedBy !== undefined) await lockCardRow(change, { cardAccountId, cardId: given.replacedBy })
      const { replacedBy, expiryMonth, expiryYear } = given
      const givenLimits = limitNames.flatMap((name) => {
        const limit = given[name]
        if (limit === undefined) return []
        requireMinorUnit(amount(limit), account.currency, name)
        return [[name, amount(limit).toString()]]
      })
      await change.db
        .update(cards)
        .set({ ...Object.fromEntries(givenLimits), replacedBy, expiryMonth, expiryYear })
        .where(eq(cards.id, cardId))
      const card = toCard(await lockCardRow(change, { cardAccountId, cardId }))
      await recordEvent(change, 'card.updated', card)
      return card
    },
  }),
]
