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
