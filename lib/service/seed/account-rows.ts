import { cardProductionMs } from '#lib/contract/cards.ts'
import { captureDelayMs, cardMonth, mapCardLimits, type CardLimits } from '#lib/contract/charge-rule.ts'
import { sealCardNumber, seededCardNumber } from '../card-number.ts'
import { cardAccounts } from '../tables/card-accounts.ts'
import { cards } from '../tables/cards.ts'
import { fees } from '../tables/fees.ts'
import { dueWork, externalIds } from '../tables/runtime.ts'
import { cardAccountTransactions } from '../tables/transactions.ts'
import { pickIndividual, latinName, pickMobile, fullName } from './people.ts'
import { type AccountPlan, type CardPlan, toDecimal, effectCents, type EntryPlan } from './plan.ts'
import { products } from './products.ts'
import { type Random, seededRandom } from './random.ts'

/** The tables of card accounts, in the order in which their rows refer to each other. */
export const accountTables = {
  accounts: cardAccounts,
  cards,
  transactions: cardAccountTransactions,
  fees,
  externalIds,
  dueWork,
}

/** The rows of one or many seeded accounts, by table. */
export type AccountRows = { [Name in keyof typeof accountTables]: (typeof accountTables)[Name]['$inferInsert'][] }

type Setting = { now: Date; cardNumberKey: Buffer }

/** Accounts have at most this many cards, so that every card has a serial of its own. */
const cardsPerAccount = 8

/** Adds the rows of the account at this place of the list. */
export function addAccountRows(rows: AccountRows, plan: AccountPlan, place: number, setting: Setting): void {
  const random = seededRandom(`rows:${place}`)
  const drawnId = random.uuid()
  const accountId = plan.id ?? drawnId
  const ago = (ageMs: number) => new Date(setting.now.getTime() - ageMs)
  const person = 'person' in plan.holder ? plan.holder.person : null
  const phoneNumber = pickMobile(random)
  const individual = person && pickIndividual(random, person, setting.now.getUTCFullYear())
  const balanceCents = plan.entries.reduce((total, entry) => total + effectCents(entry), 0)
  const disputedCents = plan.entries
    .filter((entry) => entry.disputeStatus === 'requested' || entry.disputeStatus === 'pending')
    .reduce((total, entry) => total + entry.cents, 0)
  const name = 'person' in plan.holder ? fullName(plan.holder.person) : plan.holder.company
  rows.accounts.push({
    id: accountId,
    xid: plan.xid ?? null,
    xmetadata: plan.xmetadata,
    name,
    phoneNumber,
    identityType: person ? 'individual' : 'business',
    accountType: plan.accountType,
    currency: plan.currency,
    limit: toDecimal(plan.limitCents),
    balance: toDecimal(balanceCents),
    openingBalance: '0.00',
    disputeAmount: toDecimal(disputedCents),
    clientIdentityStatus: plan.identity.status,
    rejectedReason: plan.identity.rejectedReason ?? null,
    rejectionAdditionalInfo: plan.identity.rejectionAdditionalInfo ?? null,
    individual,
    createdAt: ago(plan.ageMs),
  })
  addExternalId(rows, plan.xid, 'cardaccount', accountId)

  const embossedName = embossed(plan)
  const cardIds = plan.cards.map(({ id }) => {
    const drawnCardId = random.uuid()
    return id ?? drawnCardId
  })
  const accountCards = plan.cards.map((card, index) => {
    const id = cardIds[index] ?? ''
    const number = seededCardNumber(place * cardsPerAccount + index, card.last4)
    return {
      id,
      cardAccountId: accountId,
      xid: card.xid ?? null,
      xmetadata: null,
      status: card.status,
      lockedBeforeSuspension: card.lockedBeforeSuspension ?? false,
      embossedName,
      productId: products[card.product].id,
      ...makeExpiry(random, card, ago(card.ageMs)),
      last4: number.slice(-4),
      sealedNumber: sealCardNumber(number, id, setting.cardNumberKey),
      pinDigest: null,
      replacedBy: card.replacedBy === undefined ? null : (cardIds[card.replacedBy] ?? null),
      ...makeLimits(random, plan, card),
      mobile: phoneNumber,
      cardEmail: individual?.email ?? `cards@${slug(name)}.example.com`,
      createdAt: ago(card.ageMs),
    }
  })
  rows.cards.push(...accountCards)
  for (const [index, card] of plan.cards.entries()) {
    const id = cardIds[index] ?? ''
    addExternalId(rows, card.xid, 'card', id)
    if (card.status !== 'pending-issue') continue
    const dueAt = ago(card.ageMs - cardProductionMs)
    rows.dueWork.push({ kind: 'produce-card', subject: id, dueAt, payload: {} })
  }

  for (const entry of plan.entries) addEntryRows(rows, random, { plan, entry, accountId, accountCards, ago })
}

type CardRow = AccountRows['cards'][number]

function addEntryRows(
  rows: AccountRows,
  random: Random,
  context: {
    plan: AccountPlan
    entry: EntryPlan
    accountId: string
    accountCards: readonly CardRow[]
    ago: (ageMs: number) => Date
  },
): void {
  const { plan, entry, accountId, accountCards, ago } = context
  const id = random.uuid()
  const createdAt = ago(entry.ageMs)
  const card = entry.card === null ? undefined : accountCards[entry.card]
  const amount = toDecimal(entry.cents)
  rows.transactions.push({
    id,
    xid: entry.xid ?? null,
    xmetadata: null,
    refId: `TXN${random.digits(12)}`,
    cardAccountId: accountId,
    cardId: card?.id ?? null,
    cardLast4: card?.last4 ?? null,
    cardEmbossedName: card?.embossedName ?? null,
    createdAt,
    status: entry.status,
    postedAt: postedAt(entry, ago),
    intent: entry.intent,
    authorization: makeAuthorization(random, entry, createdAt),
    merchant: toMerchant(entry),
    currency: plan.currency,
    amount,
    entryType: entry.entryType,
    description: entry.description,
    disputeStatus: entry.disputeStatus ?? null,
    grossAmount: amount,
    refundedAmount: entry.reversedAgeMs !== undefined && entry.status === 'posted' ? amount : '0',
    reversedAt: entry.reversedAgeMs === undefined ? null : ago(entry.reversedAgeMs),
  })
  addExternalId(rows, entry.xid, 'transaction', id)
  if (entry.status === 'pending') {
    const dueAt = new Date(createdAt.getTime() + captureDelayMs)
    rows.dueWork.push({ kind: 'capture-transaction', subject: id, dueAt, payload: {} })
  }
  if (entry.feeIntent === undefined || entry.status === 'declined') return
  rows.fees.push({
    id: random.uuid(),
    cardAccountId: accountId,
    transactionId: id,
    amount,
    currency: plan.currency,
    status: entry.status,
    intent: entry.feeIntent,
    intentId: random.uuid(),
    createdAt,
  })
}

function addExternalId(rows: AccountRows, xid: string | undefined, targetType: string, targetId: string): void {
  if (xid !== undefined) rows.externalIds.push({ xid, targetType, targetId })
}

function postedAt(entry: EntryPlan, ago: (ageMs: number) => Date): Date | null {
  if (entry.status !== 'posted') return null
  return ago(entry.intent === 'charge' ? entry.ageMs - captureDelayMs : entry.ageMs)
}

function makeAuthorization(random: Random, { purchase }: EntryPlan, createdAt: Date): CardTransaction['authorization'] {
  if (!purchase) return null
  return {
    id: random.uuid(),
    currency: purchase.merchant.currency,
    amount: Number(toDecimal(purchase.hundredths)),
    createdAt: createdAt.toISOString(),
    type: purchase.type,
    responseCode: purchase.declined?.responseCode ?? '00',
    responseMessage: purchase.declined?.responseMessage ?? 'Approved',
    cardPresent: purchase.merchant.online !== true,
  }
}

type CardTransaction = AccountRows['transactions'][number]

function toMerchant({ purchase }: EntryPlan): CardTransaction['merchant'] {
  if (!purchase) return null
  const { name, mcc, category, country } = purchase.merchant
  return { name, mcc, category, country }
}

function embossed({ holder }: AccountPlan): string {
  if ('company' in holder)
    return holder.company
      .replaceAll(/[^A-Za-z -]/g, '')
      .toUpperCase()
      .slice(0, 22)
      .trim()
  return latinName(holder.person).toUpperCase()
}

function slug(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z]+/g, '-')
}

/** Three years from its making, where the plan does not say. */
function makeExpiry(random: Random, card: CardPlan, madeAt: Date): { expiryMonth: number; expiryYear: number } {
  const { month, year } = cardMonth(madeAt)
  return {
    expiryMonth: card.expiryMonth ?? month,
    expiryYear: card.expiryYear ?? year + random.between(4, 5),
  }
}

const hkdLimits: CardLimits<number> = {
  cardLimit: 200_000_00,
  dailyLimit: 24_000_00,
  dailyPurchaseLimit: 20_000_00,
  dailyAtmLimit: 4_000_00,
  singleTransactionLimit: 10_000_00,
  cardPresentLimit: 20_000_00,
  cardNotPresentLimit: 15_000_00,
}

function makeLimits(random: Random, plan: AccountPlan, card: CardPlan): CardLimits<string> {
  const share = (plan.currency === 'HKD' ? 8 : 1) * ('company' in plan.holder ? 2 : random.pick([1, 1, 1, 2]))
  const limits = { ...hkdLimits, ...card.limits }
  return mapCardLimits((name) => toDecimal(card.limits?.[name] ?? Math.round((limits[name] * share) / 8 / 100) * 100))
}
