'use client'

import { TransactionSection, useTransactionList } from './transaction-list.tsx'

/** The transactions of a card. */
export function CardTransactions({ cardAccountId, cardId }: { cardAccountId: string; cardId: string }) {
  return (
    <TransactionSection list={useTransactionList(cardAccountId, cardId)} cardAccountId={cardAccountId} isOfOneCard />
  )
}
