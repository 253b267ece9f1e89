'use client'

import { CreditCard, WalletCards } from 'lucide-react'
import type { Command, CommandSearch } from '#components/layout/command.ts'
import type { CardAccountDetail, CardAccountList } from '#lib/console/card-accounts.ts'
import { readJson } from '#lib/queries/read.ts'
import { holdsCardNumber } from '#lib/shared/card-numbers.ts'
import { apiRoutes, type Environment, routes } from '#lib/shared/routes.ts'

const most = 7

function searchOf(environment: Environment): CommandSearch {
  return async (query, signal) => {
    if (holdsCardNumber(query)) return []
    const found = await readJson<CardAccountList>(
      apiRoutes.cardAccounts(environment, { q: query, pageSize: most }),
      signal,
    )
    const accounts = found.rows.map(({ account }): Command => ({
      id: `account-${account.id}`,
      label: account.name,
      group: 'Card accounts',
      icon: <WalletCards />,
      hint: [account.xid, account.currency].filter(Boolean).join(' · '),
      href: routes.cardAccount(environment, account.id),
    }))
    return [...(await cardsOf(environment, query, found, signal)), ...accounts]
  }
}

/** Four digits lead to the card itself where few accounts have such a card. */
async function cardsOf(
  environment: Environment,
  query: string,
  found: CardAccountList,
  signal: AbortSignal,
): Promise<Command[]> {
  if (!/^\d{4}$/.test(query)) return []
  const details = await Promise.all(
    found.rows
      .slice(0, 3)
      .map(({ account }) => readJson<CardAccountDetail>(apiRoutes.cardAccount(environment, account.id), signal)),
  )
  return details.flatMap(({ account, cards }) =>
    cards
      .filter(({ last4 }) => last4 === query)
      .map((card) => ({
        id: `card-${card.id}`,
        label: `Card ending ${card.last4}`,
        group: 'Cards',
        icon: <CreditCard />,
        hint: `${account.name} · ${card.status}`,
        href: routes.card(environment, account.id, card.id),
      })),
  )
}

/** Finds accounts by name, external id, id and the last four digits of a card; the same function on every render. */
export const accountSearch: Record<Environment, CommandSearch> = {
  sandbox: searchOf('sandbox'),
  production: searchOf('production'),
}
