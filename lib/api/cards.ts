import { cardActionRow, cardActions, type CardAction } from '#lib/contract/card-actions.ts'
import { defineActions, type OperationDefinition } from './action.ts'
import { defineReads, list, record } from './read.ts'
import { checked, choice, dateRange, day, defineSearch, text, texts } from './search.ts'

function monthProblem(text: string): string | undefined {
  return /^\d{4}-(?:0[1-9]|1[0-2])$/.test(text) ? undefined : 'Enter a month such as 2027-03.'
}

/** The cards of the whole program. Statuses and products are open sets. */
export const programCardSearch = defineSearch(
  {
    q: text(200),
    status: texts(64),
    product: texts(200),
    /** Cards that expire in this month or before. */
    expiresTo: checked(7, monthProblem, 'must be a month such as 2027-03'),
    /** Cards that can be charged less than a tenth of the largest charge that their limits and their account's allow; no cancelled ones. */
    limit: choice('near'),
    /** Cards without a transaction since then, as far as transactions are indexed. */
    unusedSince: day,
    /** Cards with a transaction at a merchant, by a part of its name, within these times. */
    usedAt: text(200),
    ...dateRange,
    /** Without the cards that were declined there then. */
    declinedThere: choice('no'),
  },
  { issued: [], expires: [], name: [], last4: [], used: [], limitUse: [] },
)

export const cardReads = defineReads({
  readCard: {
    path: 'card-accounts/[cardAccountId]/cards/[cardId]',
    needs: 'accounts.read',
    poll: record,
    // A card's page shows its account's balance and its own limits.
    staleOn: {
      card: ({ cardAccountId, id }) => [cardAccountId, id],
      cardaccount: ({ id }) => [id],
      cardaccounts: true,
    },
    sensitive: (parentId, id) => ({ type: 'card', id, parentId }),
  },
  listProgramCards: {
    path: 'cards',
    needs: 'accounts.read',
    poll: list,
    staleOn: { card: true, cardaccount: true, cardaccounts: true },
  },
  listCardProducts: { path: 'cards/products', needs: 'accounts.read', poll: { staleAfter: 60_000 } },
})

const ofCards = { noun: 'card', changes: ['card-accounts', 'cards', 'overview'] } as const

/** The card actions of the contract. */
const ofContract = Object.fromEntries(
  cardActions.map((action) => {
    const { label, done, note, reasons, isReasonRequired } = cardActionRow(action)
    const definition: OperationDefinition & typeof ofCards = {
      ...ofCards,
      needs: `cards.${action}`,
      label,
      done,
      ...(note ? { note } : {}),
      ...(reasons.length > 0 ? { reasons } : {}),
      ...(isReasonRequired ? { isReasonRequired } : {}),
    }
    return [`card.${action}`, definition]
  }),
) as Record<`card.${CardAction}`, OperationDefinition & typeof ofCards>

export const programCardActions = defineActions({
  ...ofContract,
  'card.issue': { ...ofCards, needs: 'cards.issue', label: 'Issue card', creates: true, done: 'Card issued' },
  'card.replace': {
    ...ofCards,
    needs: 'cards.issue',
    label: 'Replace card',
    creates: true,
    done: 'Replacement issued',
  },
  revealCard: { needs: 'cards.reveal', act: 'card.reveal', label: 'Reveal card' },
})
