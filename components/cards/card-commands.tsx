import { CreditCard } from 'lucide-react'
import { accountTitle } from '#components/card-accounts/account-labels.ts'
import type { Command } from '#components/layout/command.ts'
import type { CardAccountDetail } from '#lib/console/card-accounts/list.ts'
import { cardActions } from '#lib/contract/card-actions.ts'
import type { Card } from '#lib/contract/records.ts'
import { fetchRead } from '#lib/queries/reads.ts'
import { type Environment, routes } from '#lib/shared/routes.ts'
import { type ActingPerson, cardActionTable, unavailability } from './card-action-table.ts'

/** Few accounts have a card of the same last four digits. */
const mostAccounts = 3

/**
 * The cards with these last four digits, of the accounts that were found by them. Text before the digits names an action:
 * each that the card's status and the person's role allow now comes first, and leads to its dialog.
 */
export async function cardCommands(
  { environment, person }: { environment: Environment; person: ActingPerson },
  { terms, last4 }: { terms: string; last4: string },
  accountIds: readonly string[],
  signal: AbortSignal,
): Promise<Command[]> {
  const details = await Promise.all(
    accountIds.slice(0, mostAccounts).map((id) => fetchRead(signal, 'readCardAccount', environment, id)),
  )
  const found = details.flatMap(({ account, cards }) =>
    cards.filter((card) => card.last4 === last4).map((card) => ({ account, card })),
  )
  const typed = terms.toLowerCase()
  const wanted =
    typed === '' ? [] : cardActions.filter((one) => cardActionTable[one].label.toLowerCase().startsWith(typed))
  const actions = found.flatMap(({ account, card }) =>
    wanted
      .filter((action) => unavailability(action, card.status, person) === undefined)
      .map((action): Command => {
        const { label, icon: Icon } = cardActionTable[action]
        return {
          id: `card-${action}-${card.id}`,
          label: `${label} · card ending ${last4}`,
          group: 'Actions',
          icon: <Icon />,
          hint: hintOf(account, card),
          href: routes.card(environment, account.id, card.id, { action }),
        }
      }),
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
