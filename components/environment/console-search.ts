import { cardCommands, typedDeed } from '#components/cards/card-commands.tsx'
import type { CommandSearch } from '#components/layout/commands.tsx'
import { fetchRead } from '#lib/queries/reads.ts'
import { holdsCardNumber } from '#lib/shared/card-numbers.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { foundCommand } from './found-table.tsx'
import type { ActingPerson } from './use-permissions.ts'

/**
 * Finds records of every kind by one read, and what can be done to the cards among them by a deed in the text: “lock 4821”, “4821 lock”,
 * “lock lee”. A deed that is only begun (“chan” of “change PIN”) is meant where the text finds nothing else.
 */
export async function searchConsole(
  environment: Environment,
  person: ActingPerson,
  query: string,
  signal: AbortSignal,
): ReturnType<CommandSearch> {
  if (holdsCardNumber(query)) return { results: [], isReading: false }
  const cardAccountId = /^\/\w+\/card-accounts\/(?!new$|limits$)([^/]+)/.exec(window.location.pathname)?.[1]
  const onAccount = cardAccountId === undefined ? {} : { cardAccountId: decodeURIComponent(cardAccountId) }
  const typed = typedDeed(query)
  const [whole, target] = await Promise.all([
    fetchRead(signal, 'searchConsole', environment, { q: query, ...onAccount }),
    typed && fetchRead(signal, 'searchConsole', environment, { q: typed.rest, cards: 'yes' }),
  ])
  const cards = target?.found.filter(({ kind }) => kind === 'card') ?? []
  const isMeant = typed !== null && (typed.isWhole || whole.found.length === 0)
  const deeds = isMeant ? cardCommands({ environment, person }, typed, cards) : []
  const found = [...whole.found, ...(typed?.isWhole ? (target?.found ?? []) : [])]
  const records = [
    ...new Map(found.map((one) => foundCommand(environment, one)).map((command) => [command.id, command])).values(),
  ]
  return { results: [...deeds, ...records], isReading: whole.isReading }
}
