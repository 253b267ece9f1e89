import { Send, WalletCards } from 'lucide-react'
import { accountTitle } from '#components/card-accounts/account-labels.ts'
import type { ActingPerson } from '#components/cards/card-action-table.ts'
import type { Command, CommandSearch } from '#components/layout/command.ts'
import { fetchRead } from '#lib/queries/reads.ts'
import { holdsCardNumber } from '#lib/shared/card-numbers.ts'
import { type Environment, routes } from '#lib/shared/routes.ts'

const most = 7
/** The last four digits of a card, also behind the name of an action: `4821`, `lock 4821`. */
const cardPattern = /^(?:(?<terms>\p{L}[\p{L} ]*?) +)?(?<last4>\d{4})$/u

/**
 * Finds accounts by name, external id, id and the last four digits of a card, payouts by id and external id, and what can be
 * done to a card by its name and those digits.
 */
export function consoleSearch(environment: Environment, person: ActingPerson): CommandSearch {
  return async (query, signal) => {
    if (holdsCardNumber(query)) return []
    const { terms = '', last4 } = cardPattern.exec(query)?.groups ?? {}
    const payouts = payoutsOf(environment, query, signal)
    const { rows } = await fetchRead(signal, 'listCardAccounts', environment, { q: last4 ?? query, pageSize: most })
    const accounts = rows.map(({ account }): Command => ({
      id: `account-${account.id}`,
      label: accountTitle(account),
      group: 'Card accounts',
      icon: <WalletCards />,
      hint: [account.xid, account.currency].filter(Boolean).join(' · '),
      href: routes.cardAccount(environment, account.id),
    }))
    if (last4 === undefined) return [...accounts, ...(await payouts)]
    const { cardCommands } = await import('#components/cards/card-commands.tsx')
    const found = rows.map(({ account }) => account.id)
    return [...(await cardCommands({ environment, person }, { terms, last4 }, found, signal)), ...accounts]
  }
}

/** A payout is found by its id or external id: what is typed there has a digit. Accounts are found without it. */
async function payoutsOf(environment: Environment, query: string, signal: AbortSignal): Promise<Command[]> {
  if (!/\d/.test(query) || query.length < 4 || cardPattern.test(query)) return []
  const found = await fetchRead(signal, 'listPayouts', environment, { q: query, pageSize: 3 }).catch(() => null)
  return (found?.payouts ?? []).map(({ id, xid, destination, status }) => ({
    id: `payout-${id}`,
    label: `Payout to ${destination.accountHolderName ?? 'unnamed beneficiary'}`,
    group: 'Payouts',
    icon: <Send />,
    hint: [xid, status].filter(Boolean).join(' · '),
    href: routes.payout(environment, id),
  }))
}
