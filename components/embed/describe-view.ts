import { accountTitle, accountTypeLabel, identityEntry } from '#components/card-accounts/account-labels.ts'
import { cardTitle, expiryText } from '#components/cards/card-face.tsx'
import { cardStatusEntry } from '#components/cards/card-status.ts'
import { reasonEntry } from '#components/identity/rejection-reasons.ts'
import { payoutMethodLabel } from '#components/payouts/code-labels.ts'
import {
  beneficiaryName,
  cancellationText,
  payoutStatusEntry,
  payoutSubStatusEntry,
} from '#components/payouts/payout-labels.ts'
import {
  declineReason,
  disputeStatusEntry,
  intentLabel,
  transactionStatusEntry,
  transactionTitle,
} from '#components/transactions/transaction-labels.ts'
import { foreignAmount } from '#components/transactions/transaction-meanings.ts'
import { amountText, figureText } from '#components/ui/amount.tsx'
import { noValue } from '#components/ui/not-provided.tsx'
import { formatTime, hktZone } from '#components/ui/time-format.ts'
import type { EmbedReading, EmbedRecords } from '#lib/console/embed/shapes.ts'
import type { Card, CardAccount, CardAccountTransaction } from '#lib/contract/records.ts'
import { countryLabel } from '#lib/shared/countries.ts'
import { embedObjectPath, type EmbedRow, type EmbedView } from '#lib/shared/embed-view.ts'
import { compareAmounts } from '#lib/shared/exact-sum.ts'

type RecordsOf<Type extends EmbedRecords['type']> = Extract<EmbedRecords, { type: Type }>
type Described = Pick<EmbedView, 'kind' | 'title' | 'subtitle' | 'status' | 'notes' | 'figures' | 'facts' | 'list'>
type Figure = EmbedView['figures'][number]
type Fact = { label: string; value: string | null | undefined; isCode?: boolean }

const unreachable = 'Carddesk can’t reach the card service. This is its last copy.'

/** The texts of an embedded view: its status first, then what support needs. Times are Hong Kong time. */
export function describeView({ object, records, fetchedAt, isStored }: EmbedReading): EmbedView {
  const described = describeRecords(records)
  const notes = isStored ? [{ tone: 'warn' as const, text: unreachable }, ...described.notes] : described.notes
  return {
    ...described,
    notes,
    environment: object.environment,
    type: object.type,
    href: embedObjectPath(object),
    updatedAt: `${formatTime(fetchedAt, hktZone, 'time-seconds')} ${hktZone.label}`,
  }
}

function describeRecords(records: EmbedRecords): Described {
  if (records.type === 'card-account') return describeAccount(records)
  if (records.type === 'card') return describeCard(records)
  return records.type === 'transaction' ? describeTransaction(records) : describePayout(records)
}

function describeAccount({ account, rejectedReason, cards, transactions }: RecordsOf<'card-account'>): Described {
  const { currency, accountType, clientIdentityStatus, available, balance, limit, outstanding, disputeAmount } = account
  const identity = identityEntry(clientIdentityStatus)
  const reason = reasonEntry(rejectedReason)
  const isCredit = accountType === 'credit'
  const isDisputed = disputeAmount !== null && compareAmounts(disputeAmount, 0) !== 0
  return {
    kind: 'Card account',
    title: accountTitle(account),
    subtitle: joined([accountTypeLabel(accountType), currency]),
    status: { label: `Identity ${identity.label.toLowerCase()}`, tone: identity.tone, help: identity.meaning },
    notes: [
      ...(rejectedReason === null ? [] : [{ tone: 'bad' as const, text: rejectedReason }]),
      ...(reason ? [{ tone: 'neutral' as const, text: `To request: ${reason.document}` }] : []),
      ...(isDisputed ? [{ tone: 'warn' as const, text: `${amountText(disputeAmount, currency)} disputed` }] : []),
    ],
    figures: [
      figure('Available to spend', available, currency, isBelowZero(available) ? 'bad' : 'neutral'),
      isCredit
        ? figure('Owed by the cardholder', outstanding, currency)
        : figure('Balance', balance, currency, isBelowZero(balance) ? 'bad' : 'neutral'),
    ],
    facts: facts([
      { label: 'Credit limit', value: isCredit ? amountText(limit, currency) : null },
      { label: 'Cards', value: cardCounts(cards) },
      { label: 'Phone', value: account.phoneNumber },
      { label: 'Opened', value: time(account.createdAt, 'date') },
      { label: 'External ID', value: account.xid, isCode: true },
      { label: 'Account ID', value: account.id, isCode: true },
    ]),
    list: recent(transactions),
  }
}

/** "2 active, 1 locked". */
function cardCounts(cards: readonly Card[]): string {
  const counts = new Map<string, number>()
  for (const { status } of cards) {
    const label = cardStatusEntry(status).label.toLowerCase()
    counts.set(label, (counts.get(label) ?? 0) + 1)
  }
  return [...counts].map(([label, count]) => `${count} ${label}`).join(', ') || 'None'
}

function describeCard({ card, account, transactions }: RecordsOf<'card'>): Described {
  const { currency } = account
  const { label, tone, meaning } = cardStatusEntry(card.status)
  const isActive = card.status === 'active'
  return {
    kind: 'Card',
    title: cardTitle(card),
    subtitle: joined([card.embossedName, card.product?.name]),
    status: { label: label, tone, help: meaning },
    notes: [],
    figures: [
      ...(isActive ? [figure('Largest charge possible now', card.availableLimit, currency)] : []),
      figure(
        'Available on the account',
        account.available,
        currency,
        isBelowZero(account.available) ? 'bad' : 'neutral',
      ),
    ],
    facts: facts([
      { label: 'Card account', value: accountTitle(account) },
      { label: 'Expires', value: expiryText(card) },
      { label: 'Per charge', value: limitText(card.singleTransactionLimit, account) },
      { label: 'Per day', value: limitText(card.dailyLimit, account) },
      { label: 'Cash per day', value: limitText(card.dailyAtmLimit, account) },
      { label: 'Replaced by', value: card.replacedBy, isCode: true },
      { label: 'External ID', value: card.xid, isCode: true },
      { label: 'Card ID', value: card.id, isCode: true },
    ]),
    list: recent(transactions),
  }
}

function limitText(limit: number | null, { currency }: CardAccount): string | null {
  return limit === null ? null : amountText(limit, currency)
}

function describeTransaction({ transaction, account }: RecordsOf<'transaction'>): Described {
  const { intent, merchant, authorization, disputeStatus, currency, cardLast4 } = transaction
  const { label, tone, meaning } = transactionStatusEntry(transaction.status)
  const dispute = disputeStatus ? disputeStatusEntry(disputeStatus) : null
  const reason = declineReason(transaction)
  return {
    kind: 'Transaction',
    title: transactionTitle(transaction),
    subtitle: joined([
      intent && intentLabel(intent),
      merchant?.category,
      merchant?.country && countryLabel(merchant.country),
    ]),
    status: { label: label, tone, help: reason === undefined ? meaning : `${sentence(reason)} Nothing was charged.` },
    notes: dispute ? [{ tone: dispute.tone, text: `${dispute.label}. ${dispute.meaning}` }] : [],
    figures: [amountFigure(transaction)],
    facts: facts([
      { label: 'At the merchant', value: foreignAmount(transaction) },
      { label: 'Card', value: cardLast4 && `•••• ${cardLast4}` },
      { label: 'Card account', value: accountTitle(account) },
      { label: 'Recorded', value: time(transaction.createdAt) },
      { label: 'Posted', value: time(transaction.postedAt) },
      { label: 'Card present', value: authorization ? yesOrNo(authorization.cardPresent) : null },
      { label: 'Description', value: transaction.description },
      { label: 'External ID', value: transaction.xid, isCode: true },
      { label: 'Transaction ID', value: transaction.id, isCode: true },
    ]),
    list: null,
  }

  function amountFigure({ amount, status, entryType }: CardAccountTransaction): Figure {
    if (status === 'declined' || status === 'void') return figure('Amount, not charged', amount, currency)
    const label = entryType === 'DEBIT' ? 'Added to the balance' : 'Taken from the balance'
    return figure(entryType === null ? 'Amount' : label, amount, currency)
  }
}

function describePayout({ payout }: RecordsOf<'payout'>): Described {
  const { destination, sourceCurrency, destinationCurrency, rate, subStatus, method } = payout
  const { label, tone, meaning } = payoutStatusEntry(payout.status)
  const cancellation = cancellationText(payout)
  const isCard = method === 'NETWORK_CARD' || destination.type === 'CARD_ACCOUNT'
  const { accountNumber } = destination
  const step = subStatus ? payoutSubStatusEntry(subStatus) : null
  return {
    kind: 'Payout',
    title: `Payout to ${beneficiaryName(destination)}`,
    subtitle: joined([method && payoutMethodLabel(method), destination.country && countryLabel(destination.country)]),
    status: { label: label, tone, help: cancellation === null ? (step?.meaning ?? meaning) : sentence(cancellation) },
    notes: [],
    figures: [
      figure('Recipient gets', payout.destinationAmount, destinationCurrency),
      figure('Sent', payout.sourceAmount, sourceCurrency),
    ],
    facts: facts([
      { label: 'Step', value: step?.label === `Order ${label.toLowerCase()}` ? null : step?.label },
      { label: isCard ? 'Card number' : 'Account number', value: accountNumber && masked(accountNumber), isCode: true },
      { label: 'Bank', value: destination.bankName },
      { label: 'Rate', value: rate && `1 ${sourceCurrency} = ${rate} ${destinationCurrency}` },
      { label: 'Created', value: time(payout.created) },
      { label: 'Updated', value: time(payout.updated) },
      { label: 'External ID', value: payout.xid, isCode: true },
      { label: 'Payout ID', value: payout.id, isCode: true },
    ]),
    list: null,
  }
}

/** Of a card account's number only four digits are known; of a bank account's the mask shows four. */
function masked(accountNumber: string): string {
  return accountNumber.startsWith('•') ? accountNumber : `•••• ${accountNumber.slice(-4)}`
}

function recent(transactions: readonly CardAccountTransaction[] | null): EmbedView['list'] {
  const empty = transactions === null ? 'Transactions couldn’t be loaded.' : 'No transactions yet'
  return { title: 'Recent transactions', empty, rows: (transactions ?? []).map(rowOf) }
}

function rowOf(transaction: CardAccountTransaction): EmbedRow {
  const { amount, currency, entryType, status, createdAt } = transaction
  const { label, tone } = transactionStatusEntry(status)
  const hasNoEffect = status === 'declined' || status === 'void' || entryType === null
  const sign = hasNoEffect ? '' : entryType === 'DEBIT' ? '+' : '−'
  return {
    title: transactionTitle(transaction),
    detail: joined([time(createdAt, 'short'), declineReason(transaction)]),
    status: { label: label, tone },
    amount: amount === null ? null : { amount: `${sign}${figureText(amount, currency)}`, currency: currency ?? '' },
  }
}

function figure(
  label: string,
  amount: number | string | null,
  currency: string | null,
  tone: Figure['tone'] = 'neutral',
): Figure {
  return { label, amount: amount === null ? noValue : figureText(amount, currency), currency: currency ?? '', tone }
}

function isBelowZero(amount: number | null): boolean {
  return amount !== null && compareAmounts(amount, 0) < 0
}

/** Facts without a value are left out: the console's page says what is missing. */
function facts(all: readonly Fact[]): EmbedView['facts'] {
  return all.flatMap(({ value, ...fact }) => (value ? [{ ...fact, value }] : []))
}

function joined(parts: readonly (string | null | undefined)[]): string {
  return parts.filter(Boolean).join(' · ')
}

function time(instant: string | null, format: 'date-time' | 'short' | 'date' = 'date-time'): string | null {
  return instant === null ? null : formatTime(instant, hktZone, format)
}

function sentence(text: string): string {
  const capital = `${text.charAt(0).toUpperCase()}${text.slice(1)}`
  return /[.!?]$/.test(text) ? capital : `${capital}.`
}

function yesOrNo(value: boolean | null): string | null {
  return value === null ? null : value ? 'Yes' : 'No'
}
