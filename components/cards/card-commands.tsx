import { CreditCard } from 'lucide-react'
import { accountTitle } from '#components/card-accounts/account-words.ts'
import type { Command } from '#components/layout/command.ts'
import type { CardAccountDetail } from '#lib/console/card-accounts/list.ts'
import type { Card } from '#lib/contract/records.ts'
import { fetchRead } from '#lib/queries/reads.ts'
import { type Environment, routes } from '#lib/shared/routes.ts'
import { type ActingPerson, unavailability } from './action-availability.ts'
import { cardActionTable } from './card-action-table.ts'

/** Few accounts have a card of the same last four digits. */
const mostAccounts = 3

/**
 * The cards with these last four digits, of the accounts that were found by them. Words before the digits ask for an action:
 * each that the card's status and the person's role allow now comes first, and leads to its dialog.
 */
export async function cardCommands(
  { environment, person }: { environment: Environment; person: ActingPerson },
  { words, last4 }: { words: string; last4: string },
  accountIds: readonly string[],
  signal: AbortSignal,
): Promise<Command[]> {
  const details = await Promise.all(
    accountIds.slice(0, mostAccounts).map((id) => fetchRead(signal, 'readCardAccount', environment, id)),
  )
  const found = details.flatMap(({ account, cards }) =>
    cards.filter((card) => card.last4 === last4).map((card) => ({ account, card })),
  )
  const asked = words.toLowerCase()
  const rows = asked === '' ? [] : cardActionTable.filter(({ label }) => label.toLowerCase().startsWith(asked))
  const actions = found.flatMap(({ account, card }) =>
    rows
      .filter((row) => unavailability(row, card.status, person) === undefined)
      .map((row): Command => ({
        id: `card-${row.id}-${card.id}`,
        label: `${row.label} · card ending ${last4}`,
        group: 'Actions',
        icon: <row.icon />,
        hint: hintOf(account, card),
        href: routes.card(environment, account.id, card.id, { action: row.id }),
      })),
  )
  const pages = found.map(({ account, card }): Command => ({
    id: `card-${card.id}`,
    label: `Card ending ${last4}`,
    group: 'Cards',
    icon: <CreditCard />,
    hint: hintOf(account, card),
    href: routes.card(environment, account.id, card.id),
  }))
  return [...actions, ...pages]
}

function hintOf(account: CardAccountDetail['account'], { status }: Card): string {
  return [accountTitle(account), status].filter(Boolean).join(' · ')
}
