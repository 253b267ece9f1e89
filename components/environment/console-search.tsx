import type { ActingPerson } from '#components/cards/card-action-table.ts'
import type { CommandSearch } from '#components/layout/command.ts'
import { fetchRead } from '#lib/queries/reads.ts'
import { holdsCardNumber } from '#lib/shared/card-numbers.ts'
import type { Environment } from '#lib/shared/routes.ts'

/** The last four digits of a card, also behind the name of an action: `4821`, `lock 4821`. */
const cardPattern = /^(?:(?<terms>\p{L}[\p{L} ]*?) +)?(?<last4>\d{4})$/u

/**
 * Finds records of every kind by one read, and what can be done to a card by its name and the card's last four digits. What names
 * a found record is loaded with the first search.
 */
export function consoleSearch(environment: Environment, person: ActingPerson): CommandSearch {
  return async (query, signal) => {
    if (holdsCardNumber(query)) return []
    const { terms = '', last4 } = cardPattern.exec(query)?.groups ?? {}
    const cardAccountId = /^\/\w+\/card-accounts\/(?!new$|limits$)([^/]+)/.exec(window.location.pathname)?.[1]
    const [{ found }, { foundCommand }, { cardCommands }] = await Promise.all([
      fetchRead(signal, 'searchConsole', environment, {
        q: last4 ?? query,
        ...(cardAccountId === undefined ? {} : { cardAccountId: decodeURIComponent(cardAccountId) }),
      }),
      import('./found-table.tsx'),
      import('#components/cards/card-commands.tsx'),
    ])
    const cards = found.filter(({ kind }) => kind === 'card')
    return [
      ...cardCommands({ environment, person }, terms, cards),
      ...found.map((one) => foundCommand(environment, one)),
    ]
  }
}
