import 'server-only'
import { readServiceClock } from '#lib/environments/control-plane.ts'
import { readAccountWithCards } from '#lib/index/account.ts'
import { findWaiting } from '#lib/operations/approvals/waiting.ts'
import { AppError, orNotFound } from '#lib/shared/app-error.ts'
import { findById } from '#lib/shared/ids.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { readCardHistory } from './history.ts'
import { readReplacements } from './replacements.ts'
import type { CardDetail } from './types.ts'

/** The card from the service; while that does not respond, from the index. Throws `CARD_NOT_FOUND`. */
export async function readCard(environment: Environment, cardAccountId: string, cardId: string): Promise<CardDetail> {
  const reading = readAccountWithCards(environment, cardAccountId)
  const { account, cards, cardsExcluded, hasMoreCards, cardsProblem, freshness } = await orNotFound(
    reading,
    cardNotFound,
    'CARD_ACCOUNT_NOT_FOUND',
  )
  const card = findById(cards, cardId)
  if (!card && cardsProblem !== null) throw new AppError('SERVICE_REFUSED', cardsProblem)
  if (!card) throw cardNotFound()
  const [history, { serviceAt }, replacements, waiting] = await Promise.all([
    readCardHistory(environment, card),
    readServiceClock(environment),
    readReplacements(environment, card, { cards, excluded: cardsExcluded, hasMore: hasMoreCards }),
    findWaiting(environment, 'card.cancel', [card.id]),
  ])
  return { card, account, history, replacements, waiting, serviceAt: serviceAt.toISOString(), freshness }
}

function cardNotFound(): AppError {
  return new AppError('CARD_NOT_FOUND', 'There is no such card on this account in this environment.')
}
