import 'server-only'
import type { CardAccount } from '#lib/contract/card-accounts.ts'
import type { Card } from '#lib/contract/cards.ts'
import { isUuid } from '#lib/shared/ids.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { readCardHistory, type CardHistory } from './card-history.ts'
import { readAccountWithCards } from './directory/account.ts'
import { requireService } from './environments.ts'
import { isRefusal, Refusal } from './refusal.ts'
import type { Seen } from './service-health.ts'
import { requirePermission } from './session.ts'

export type CardDetail = { card: Card; account: CardAccount; history: CardHistory; seen: Seen }

/** The truth from the service; while that does not answer, what the directory has. Throws `CARD_NOT_FOUND`. */
export async function readCard(environment: Environment, cardAccountId: string, cardId: string): Promise<CardDetail> {
  await requirePermission('accounts.read', environment)
  requireService(environment)
  if (!isUuid(cardAccountId) || !isUuid(cardId)) throw cardNotFound()
  const { account, cards, seen } = await readAccountWithCards(environment, cardAccountId.toLowerCase()).catch(
    (error: unknown) => {
      throw isRefusal(error) && error.code === 'CARD_ACCOUNT_NOT_FOUND' ? cardNotFound() : error
    },
  )
  const card = cards.find(({ id }) => id === cardId.toLowerCase())
  if (!card) throw cardNotFound()
  return { card, account, history: await readCardHistory(environment, card), seen }
}

function cardNotFound(): Refusal {
  return new Refusal('CARD_NOT_FOUND', 'There is no such card on this account in this environment.')
}
