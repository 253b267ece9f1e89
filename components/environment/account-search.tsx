'use client'

import { CreditCard, Send, WalletCards } from 'lucide-react'
import type { Command, CommandSearch } from '#components/layout/command.ts'
import type { CardAccountDetail, CardAccountList } from '#lib/console/card-accounts.ts'
import type { PayoutList } from '#lib/console/payouts/list.ts'
import { readJson } from '#lib/queries/read.ts'
import { holdsCardNumber } from '#lib/shared/card-numbers.ts'
import { apiRoutes, type Environment, routes } from '#lib/shared/routes.ts'

const most = 7

function searchOf(environment: Environment): CommandSearch {
  return async (query, signal) => {
    if (holdsCardNumber(query)) return []
    const payouts = payoutsOf(environment, query, signal)
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
    return [...(await cardsOf(environment, query, found, signal)), ...accounts, ...(await payouts)]
  }
}

/** A payout is found by its id or external id: what is typed there has a digit. Accounts are found without it. */
async function payoutsOf(environment: Environment, query: string, signal: AbortSignal): Promise<Command[]> {
  if (!/\d/.test(query) || query.length < 4 || /^\d{4}$/.test(query)) return []
  const found = await readJson<PayoutList>(apiRoutes.payouts(environment, { q: query, pageSize: 3 }), signal).catch(
    () => null,
  )
  return (found?.payouts ?? []).map(({ id, xid, destination, status }) => ({
    id: `payout-${id}`,
    label: `Payout to ${destination.accountHolderName ?? 'unnamed beneficiary'}`,
    group: 'Payouts',
    icon: <Send />,
    hint: [xid, status].filter(Boolean).join(' · '),
    href: routes.payout(environment, id),
  }))
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

/** Finds accounts by name, external id, id and the last four digits of a card, payouts by id and external id; the same function on every render. */
export const accountSearch: Record<Environment, CommandSearch> = {
  sandbox: searchOf('sandbox'),
  production: searchOf('production'),
}
