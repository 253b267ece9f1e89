import 'server-only'
import { cardPeriods } from '#lib/contract/charge-rule.ts'
import type { Charges } from '#lib/contract/limit-spending.ts'
import type { Card, CardAccount, CardAccountTransaction } from '#lib/contract/records.ts'
import { builtInControl, readServiceClock } from '#lib/environments/control-plane.ts'
import { findRecord } from '#lib/environments/paginate.ts'
import { sameId } from '#lib/shared/ids.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { toDate } from '#lib/shared/time.ts'
import { explainDecline } from './explain-decline.ts'
import { fetchTransactions } from './list.ts'
import type { TransactionDecline } from './types.ts'

/**
 * Why a transaction was declined, with its card and account as the service has them now; null for one that was not declined. Phone
 * numbers and e-mail addresses are left out: who reads those is audited on the card's and the account's own pages.
 */
export async function readDecline(
  environment: Environment,
  transaction: CardAccountTransaction,
  account: CardAccount,
): Promise<TransactionDecline | null> {
  if (transaction.status !== 'declined') return null
  const { cardId, createdAt } = transaction
  const rule = builtInControl(environment) ? 'built-in' : 'unknown'
  const [card, { serviceAt: now }] = await Promise.all([
    cardId ? fetchCard(environment, account.id, cardId) : null,
    readServiceClock(environment),
  ])
  const fetchSince = async (start: Date, end: Date) =>
    card && rule === 'built-in' ? fetchCharges(environment, account.id, card.id, start, end) : none
  const declinedAt = toDate(createdAt) ?? now
  const [monthThen, monthNow] = [declinedAt, now].map((at) => cardPeriods(at).monthStart)
  const current = await fetchSince(monthNow ?? now, now)
  const isSameMonth = monthThen?.getTime() === monthNow?.getTime()
  const charges = {
    now: current,
    atDecline: isSameMonth ? current : await fetchSince(monthThen ?? declinedAt, declinedAt),
  }
  const explanation = explainDecline({ transaction, card, account, charges, now, rule })
  return {
    explanation,
    card: card && { ...card, mobile: null, cardEmail: null },
    account: { ...account, phoneNumber: null },
  }
}

const none: Charges = { entries: [], isWhole: false }

async function fetchCard(environment: Environment, cardAccountId: string, cardId: string): Promise<Card | null> {
  const found = await findRecord(
    environment,
    'listCards',
    { cardAccountId, cardId },
    { list: ({ cards }) => cards, isWanted: ({ id }) => sameId(id, cardId) },
  )
  return found.record
}

async function fetchCharges(
  environment: Environment,
  cardAccountId: string,
  cardId: string,
  start: Date,
  end: Date,
): Promise<Charges> {
  const query = {
    cardAccountId,
    cardId,
    intent: ['charge', 'withdraw', 'refund'],
    dateRangeFrom: start.toISOString(),
    dateRangeTo: end.toISOString(),
  }
  const { transactions, isWhole } = await fetchTransactions(environment, query)
  return { entries: transactions.filter((one) => sameId(one.cardId, cardId)), isWhole }
}
