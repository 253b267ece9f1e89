import 'server-only'
import { sameId } from '#lib/shared/ids.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { AppError, orNotFound } from '../desk/app-error.ts'
import { readServiceClock } from '../desk/connections/control-plane.ts'
import { requireService } from '../desk/connections/environments.ts'
import { readAccountWithCards } from '../desk/mirror/account.ts'
import { ServiceId } from '../desk/parse.ts'
import { requirePermission } from '../desk/session/session.ts'
import { readCardHistory } from './history.ts'
import type { CardDetail } from './shapes.ts'

/** The card from the service; while that does not respond, from the mirror. Throws `CARD_NOT_FOUND`. */
export async function readCard(environment: Environment, cardAccountId: string, cardId: string): Promise<CardDetail> {
  await requirePermission('accounts.read', environment)
  requireService(environment)
  if (!ServiceId.safeParse(cardAccountId).success) throw cardNotFound()
  const reading = readAccountWithCards(environment, cardAccountId)
  const { account, cards, cardsProblem, freshness } = await orNotFound(reading, cardNotFound, 'CARD_ACCOUNT_NOT_FOUND')
  const card = cards.find(({ id }) => id === cardId) ?? cards.find(({ id }) => sameId(id, cardId))
  if (!card && cardsProblem !== null) throw new AppError('SERVICE_REFUSED', cardsProblem)
  if (!card) throw cardNotFound()
  const [history, serviceNowMs] = await Promise.all([readCardHistory(environment, card), readCardClock(environment)])
  return { card, account, history, serviceAt: new Date(serviceNowMs).toISOString(), freshness }
}

/**
 * The service's time in milliseconds, for the other reads of the page; the console's where the service has no readable
 * clock.
 */
export async function readCardClock(environment: Environment): Promise<number> {
  await requirePermission('accounts.read', environment)
  requireService(environment)
  return (await readServiceClock(environment)).serviceAt.getTime()
}

function cardNotFound(): AppError {
  return new AppError('CARD_NOT_FOUND', 'There is no such card on this account in this environment.')
}
