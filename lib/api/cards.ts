import { cardActionRow, cardActions, type CardAction } from '#lib/contract/card-actions.ts'
import { defineActions, type OperationDefinition } from './action.ts'
import { defineReads, list, record } from './read.ts'

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
