import { identityEntry } from '#components/card-accounts/account-labels.ts'
import { cardStatusEntry } from '#components/cards/card-status.ts'
import type { Writer } from '#components/messages/writer.ts'
import { disputeStatusEntry, transactionStatusEntry } from '#components/transactions/transaction-labels.ts'
import { noValue } from '#components/ui/not-provided.tsx'
import type { EmbedRow, EmbedView } from '#lib/api/embed-view.ts'
import type { WaitingOperation } from '#lib/console/embed/types.ts'
import { isDifferent } from '#lib/contract/exact-sum.ts'
import type { Card, CardAccount, CardAccountTransaction } from '#lib/contract/records.ts'
import { isUncounted } from '#lib/contract/terms.ts'
import type { IndexedTransaction } from '#lib/index/types.ts'
import { directedAmount } from '#lib/shared/currency.ts'
import { shortId } from '#lib/shared/ids.ts'

type Status = EmbedView['status']
type Listed = CardAccountTransaction | IndexedTransaction

export function accountTitle({ texts }: Writer, { id, name, xid }: CardAccount): string {
  return name || xid || texts.accountWithId(shortId(id))
}

export function cardTitle({ texts }: Writer, { id, last4 }: Card): string {
  return last4 ? texts.cardEnding(last4) : texts.cardWithId(shortId(id))
}

export function transactionTitle({ texts, label }: Writer, { id, merchant, description, intent }: Listed): string {
  return merchant?.name || description || (intent ? label(texts.intents, intent) : texts.transactionWithId(shortId(id)))
}

export function identityStatus({ texts, code }: Writer, { clientIdentityStatus }: CardAccount): Status {
  const { label, meaning } = code(texts.identityStatuses, clientIdentityStatus)
  return { label: texts.identity(label), tone: identityEntry(clientIdentityStatus).tone, help: meaning }
}

export function cardStatus({ texts, code }: Writer, { status }: Card): Status {
  const { label, meaning } = code(texts.cardStatuses, status)
  return { label, tone: cardStatusEntry(status).tone, help: meaning }
}

export function transactionStatus({ texts, code }: Writer, { status }: Listed): Status {
  const { label, meaning } = code(texts.transactionStatuses, status)
  return { label, tone: transactionStatusEntry(status).tone, help: meaning }
}

function badge({ label, tone }: Status): EmbedRow['status'] {
  return { label, tone }
}

export function accountRow(writer: Writer, account: CardAccount): EmbedRow {
  const { texts, label } = writer
  const { currency, accountType, available, xid, id } = account
  return {
    title: accountTitle(writer, account),
    detail: joined([label(texts.accountTypes, accountType), xid, texts.toSpend]),
    status: badge(identityStatus(writer, account)),
    amount: toRowAmount(writer, available, currency),
    open: { type: 'card-account', id, cardAccountId: null },
  }
}

/** A company has hundreds of cards, and the view is as high as its content. */
const mostCards = 20

export function cardList(
  writer: Writer,
  cards: readonly { card: Card; account: CardAccount }[],
): EmbedView['lists'][number] {
  const { texts } = writer
  return {
    title: cards.length > mostCards ? texts.cardsShown(mostCards, cards.length) : texts.cards,
    empty: texts.noCards,
    rows: cards.slice(0, mostCards).map(({ card, account }) => cardRow(writer, card, account)),
  }
}

function cardRow(writer: Writer, card: Card, { id: cardAccountId }: CardAccount): EmbedRow {
  return {
    title: cardTitle(writer, card),
    detail: joined([card.embossedName, card.product?.name]),
    status: badge(cardStatus(writer, card)),
    amount: null,
    open: { type: 'card', id: card.id, cardAccountId },
  }
}

export function declineRow(writer: Writer, transaction: Listed): EmbedRow {
  const { cardLast4, createdAt } = transaction
  return {
    ...transactionRow(writer, transaction),
    detail: joined([
      writer.time(createdAt, 'date-time'),
      cardLast4 && `•••• ${cardLast4}`,
      declineReason(writer, transaction),
    ]),
  }
}

export function disputeRow(writer: Writer, transaction: IndexedTransaction): EmbedRow {
  const { texts, code, time } = writer
  const status = transaction.disputeStatus ?? ''
  return {
    ...transactionRow(writer, transaction),
    detail: joined([time(transaction.createdAt, 'date-time')]),
    status: { label: code(texts.disputeStatuses, status).label, tone: disputeStatusEntry(status).tone },
  }
}

export function disputedAmountRow(writer: Writer, account: CardAccount): EmbedRow {
  const { texts } = writer
  return {
    title: texts.disputedAmount,
    detail: accountTitle(writer, account),
    status: { label: texts.disputed, tone: 'warn' },
    amount: toRowAmount(writer, account.disputeAmount, account.currency),
    open: { type: 'card-account', id: account.id, cardAccountId: null },
  }
}

export function operationRow({ texts, time }: Writer, operation: WaitingOperation): EmbedRow {
  const { kind, state, targetType, targetId, targetLabel, cardAccountId, createdAt } = operation
  const { waiting, unknown, sending, open, taken, 'not-sent': notSent } = texts.requestStates
  const label = { waiting, unknown, open, taken, 'not-sent': notSent }[state] ?? sending
  return {
    title: kind === 'call-back' ? texts.requestKinds[kind] : (texts.operation(kind) ?? texts.change),
    detail: joined([targetLabel, texts.requestedAt(time(createdAt, 'short') ?? noValue)]),
    status: { label, tone: 'warn' },
    amount: null,
    open:
      targetType === 'card'
        ? { type: 'card', id: targetId, cardAccountId }
        : { type: 'card-account', id: cardAccountId, cardAccountId: null },
  }
}

export function isDisputed({ disputeAmount }: CardAccount): boolean {
  return isDifferent(disputeAmount, 0)
}

function toRowAmount(
  writer: Writer,
  amount: number | string | null,
  currency: string | null,
  isSigned = false,
): EmbedRow['amount'] {
  return amount === null ? null : { amount: writer.figure(amount, currency, isSigned), currency: currency ?? '' }
}

export function declineReason({ texts }: Writer, { status, authorization }: Listed): string | undefined {
  if (status !== 'declined') return undefined
  const { responseCode, responseMessage } = authorization ?? {}
  return texts.decline(responseMessage, responseCode)
}

export function recent(
  writer: Writer,
  transactions: readonly CardAccountTransaction[] | null,
): EmbedView['lists'][number] {
  const { texts } = writer
  return {
    title: texts.recentTransactions,
    empty: transactions === null ? texts.transactionsFailed : texts.noTransactions,
    rows: (transactions ?? []).map((one) => transactionRow(writer, one)),
  }
}

function transactionRow(writer: Writer, transaction: Listed): EmbedRow {
  const { id, cardAccountId, amount, currency, entryType, status, createdAt, disputeStatus } = transaction
  const direction = isUncounted(status) ? null : entryType
  const directed = amount === null ? null : directedAmount(amount, direction)
  return {
    title: transactionTitle(writer, transaction),
    detail: joined([
      writer.time(createdAt, 'date-time'),
      disputeStatus && writer.code(writer.texts.disputeStatuses, disputeStatus).label,
      declineReason(writer, transaction),
    ]),
    status: badge(transactionStatus(writer, transaction)),
    amount: toRowAmount(writer, directed, currency, direction === 'DEBIT'),
    ...(cardAccountId === null ? {} : { open: { type: 'transaction', id, cardAccountId } }),
  }
}

export function joined(parts: readonly (string | null | undefined | false)[]): string {
  return parts.filter(Boolean).join(' · ')
}
