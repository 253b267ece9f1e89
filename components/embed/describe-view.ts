import { expiryText } from '#components/cards/card-face.tsx'
import { createWriter, type Writer } from '#components/messages/writer.ts'
import { payoutStatusEntry } from '#components/payouts/payout-labels.ts'
import { describeDecline } from '#components/transactions/decline-text.ts'
import { disputeStatusEntry } from '#components/transactions/transaction-labels.ts'
import { foreignCharge } from '#components/transactions/transaction-meanings.ts'
import { noValue } from '#components/ui/not-provided.tsx'
import { operationDefinition } from '#lib/api/actions.ts'
import {
  embedObjectPath,
  type EmbedRequests,
  type EmbedTarget,
  type EmbedView,
  mostCases,
} from '#lib/api/embed-view.ts'
import { requestRow } from '#lib/api/help-desk-requests.ts'
import type { EmbedReading, EmbedRecords, RequestState, TicketRequests } from '#lib/console/embed/types.ts'
import type { TransactionDecline } from '#lib/console/transactions/types.ts'
import { isLess } from '#lib/contract/exact-sum.ts'
import { isToCard } from '#lib/contract/payout-rules.ts'
import type { Card, CardAccount, CardAccountTransaction } from '#lib/contract/records.ts'
import { isUncounted, unboundCardLimit } from '#lib/contract/terms.ts'
import { sameId } from '#lib/shared/ids.ts'
import type { Locale } from '#lib/shared/locale.ts'
import { present } from '#lib/shared/provided.ts'
import {
  accountRow,
  accountTitle,
  cardList,
  cardStatus,
  cardTitle,
  declineReason,
  declineRow,
  disputeRow,
  disputedAmountRow,
  identityStatus,
  isDisputed,
  joined,
  operationRow,
  recent,
  transactionStatus,
  transactionTitle,
} from './describe-rows.ts'

type RecordsOf<Type extends EmbedRecords['type']> = Extract<EmbedRecords, { type: Type }>
type Described = Pick<EmbedView, 'title' | 'subtitle' | 'status' | 'notes' | 'figures' | 'facts' | 'lists'>
type Figure = EmbedView['figures'][number]
type Fact = { label: string; value: string | null | undefined; isCode?: boolean; open?: EmbedTarget | undefined }

/** The texts of an embedded view in a locale: its status first, then what support needs. */
export function describeView(reading: EmbedReading, locale: Locale, now = Date.now()): EmbedView {
  const { object, records, fetchedAt, isStored, hasWays, hasLink, requests } = reading
  const writer = createWriter(locale)
  const { texts, time, zone } = writer
  const described = hasWays ? describeRecords(writer, records) : withoutWays(describeRecords(writer, records))
  const notes = isStored ? [{ tone: 'warn' as const, text: texts.lastCopy }, ...described.notes] : described.notes
  const kind = texts.kinds[records.type]
  return {
    ...described,
    kind,
    notes,
    environment: object.environment,
    type: object.type,
    requests: describeRequests(writer, requests),
    href: !hasLink || (records.type === 'customer' && records.accounts.length > 1) ? null : embedObjectPath(object),
    name: texts.nameOf(kind, described.title),
    // A copy may be of another day.
    updatedAt: `${time(fetchedAt, isStored ? 'date-time' : 'time-seconds')} ${zone(fetchedAt)}`,
    isStored,
    ageMs: Math.max(0, now - Date.parse(fetchedAt)),
  }
}

/** The token of a single object opens no other one. */
function withoutWays({ facts, lists, ...described }: Described): Described {
  return {
    ...described,
    facts: facts.map(({ open: _open, ...fact }) => fact),
    lists: lists.map(({ rows, ...list }) => ({ ...list, rows: rows.map(({ open: _open, ...row }) => row) })),
  }
}

const requestTones: Record<RequestState, EmbedView['status']['tone']> = {
  waiting: 'warn',
  declined: 'bad',
  expired: 'neutral',
  sending: 'info',
  'not-sent': 'bad',
  'approved-done': 'good',
  done: 'good',
  refused: 'bad',
  unknown: 'warn',
  open: 'warn',
  taken: 'info',
  finished: 'good',
}

function describeRequests({ texts, time }: Writer, requests: TicketRequests | null): EmbedRequests | null {
  if (!requests || (requests.offers.length === 0 && requests.made.length === 0)) return null
  return {
    offers: requests.offers.map(({ kind, way }) => {
      const { operation } = requestRow(kind)
      const { reasons = [], isReasonRequired } = operation ? operationDefinition(operation) : {}
      const none = { value: '', label: isReasonRequired ? texts.chooseReason : texts.withoutReason }
      return {
        kind,
        label: texts.requestKinds[kind],
        question: texts.requestQuestions[kind],
        help: texts.requestWays[way],
        submit: way === 'immediate' ? texts.requestKinds[kind] : texts.sendRequest,
        reasons:
          reasons.length === 0 ? [] : [none, ...reasons.map((value) => ({ value, label: texts.reasons[value] }))],
      }
    }),
    rows: requests.made.map(({ kind, origin, state, createdAt, expiresAt, reason }) => ({
      title: texts.requestKinds[kind],
      detail: joined([
        texts.ticket(origin.ticket),
        origin.agent.name,
        time(createdAt, 'short'),
        expiresAt && texts.expiresAt(time(expiresAt, 'short') ?? noValue),
        reason,
      ]),
      status: { label: texts.requestStates[state], tone: requestTones[state] },
      amount: null,
    })),
  }
}

function describeRecords(writer: Writer, records: EmbedRecords): Described {
  if (records.type === 'customer') return describeCustomer(writer, records)
  if (records.type === 'card-account') return describeAccount(writer, records)
  if (records.type === 'card') return describeCard(writer, records)
  return records.type === 'transaction' ? describeTransaction(writer, records) : describePayout(writer, records)
}

function describeCustomer(writer: Writer, records: RecordsOf<'customer'>): Described {
  const { texts } = writer
  const { accounts, declines, disputes, operations, foundBy } = records
  const names = new Set(accounts.map(({ account }) => accountTitle(writer, account)))
  const cards = accounts.flatMap((one) => one.cards.map((card) => ({ card, account: one.account })))
  // Where the index has not read a dispute yet, the account's disputed amount tells of it.
  const disputed = accounts.filter(
    ({ account }) => isDisputed(account) && !disputes.some((one) => sameId(one.cardAccountId, account.id)),
  )
  const cases = [
    ...operations.map((one) => operationRow(writer, one)),
    ...disputes.map((one) => disputeRow(writer, one)),
    ...disputed.map(({ account }) => disputedAmountRow(writer, account)),
  ]
  const isCut = Math.max(operations.length, disputes.length) >= mostCases
  return {
    title: [...names].join(texts.separator),
    subtitle: joined([texts.cardAccountCount(accounts.length), foundBy !== 'id' && texts.foundBy[foundBy]]),
    status:
      cases.length === 0
        ? { label: texts.noOpenCases, tone: 'good', help: texts.nothingOpen }
        : { label: texts.openCaseCount(cases.length, isCut), tone: 'warn', help: texts.openCasesBelow },
    notes: [],
    figures: [],
    facts: [],
    lists: [
      {
        title: texts.cardAccounts,
        empty: texts.noCardAccounts,
        rows: accounts.map(({ account }) => accountRow(writer, account)),
      },
      cardList(writer, cards),
      {
        title: texts.lastDeclines,
        empty: texts.nothingDeclined,
        rows: declines.map((one) => declineRow(writer, one)),
      },
      { title: texts.openCases, empty: texts.noOpenCases, rows: cases },
    ],
  }
}

function describeAccount(writer: Writer, records: RecordsOf<'card-account'>): Described {
  const { texts, amount, label, time } = writer
  const { account, rejectedReason, cards, transactions } = records
  const { currency, accountType, available, balance, limit, outstanding, disputeAmount } = account
  const isCredit = accountType === 'credit'
  return {
    title: accountTitle(writer, account),
    subtitle: joined([label(texts.accountTypes, accountType), currency]),
    status: identityStatus(writer, account),
    notes: [
      ...present([rejectedReason]).flatMap((reason) => [
        { tone: 'bad' as const, text: texts.rejection(reason) },
        ...present([texts.rejectionDocument(reason)]).map((text) => ({ tone: 'neutral' as const, text })),
      ]),
      ...(isDisputed(account)
        ? [{ tone: 'warn' as const, text: texts.amountDisputed(amount(disputeAmount, currency)) }]
        : []),
      ...(cards.length > 0 && cards.every(({ status }) => status !== null && status !== 'active')
        ? [{ tone: 'warn' as const, text: texts.noActiveCard }]
        : []),
    ],
    figures: [
      figure(writer, texts.availableToSpend, available, currency, isLess(available, 0) ? 'bad' : 'neutral'),
      isCredit
        ? figure(writer, texts.owed, outstanding, currency)
        : figure(writer, texts.balance, balance, currency, isLess(balance, 0) ? 'bad' : 'neutral'),
    ],
    facts: facts([
      { label: texts.creditLimit, value: isCredit ? amount(limit, currency) : null },
      { label: texts.cards, value: cardCounts(writer, cards) },
      { label: texts.phone, value: account.phoneNumber },
      { label: texts.opened, value: time(account.createdAt, 'date') },
      { label: texts.externalId, value: account.xid, isCode: true },
      { label: texts.accountId, value: account.id, isCode: true },
    ]),
    lists: [
      cardList(
        writer,
        cards.map((card) => ({ card, account })),
      ),
      recent(writer, transactions),
    ],
  }
}

/** "2 active, 1 locked". */
function cardCounts(writer: Writer, cards: readonly Card[]): string {
  const { texts } = writer
  const counts = new Map<string, number>()
  for (const card of cards) {
    const { label } = cardStatus(writer, card)
    counts.set(label, (counts.get(label) ?? 0) + 1)
  }
  return [...counts].map(([label, count]) => texts.statusCount(count, label)).join(texts.separator) || texts.none
}

function describeCard(writer: Writer, { card, account, transactions }: RecordsOf<'card'>): Described {
  const { texts } = writer
  const { available, currency } = account
  // A card without limits of its own has a limit that no charge reaches.
  const limit = (amount: number | null) =>
    amount === null || amount >= unboundCardLimit ? null : writer.amount(amount, currency)
  return {
    title: cardTitle(writer, card),
    subtitle: joined([card.embossedName, card.product?.name]),
    status: cardStatus(writer, card),
    notes: [],
    figures: [
      ...(card.status === 'active' ? [figure(writer, texts.largestCharge, card.availableLimit, currency)] : []),
      figure(writer, texts.availableOnAccount, available, currency, isLess(available, 0) ? 'bad' : 'neutral'),
    ],
    facts: facts([
      { label: texts.kinds['card-account'], value: accountTitle(writer, account), open: toAccount(account) },
      { label: texts.expires, value: expiryText(card) },
      { label: texts.perCharge, value: limit(card.singleTransactionLimit) },
      { label: texts.perDay, value: limit(card.dailyLimit) },
      { label: texts.cashPerDay, value: limit(card.dailyAtmLimit) },
      { label: texts.replacedBy, value: card.replacedBy, isCode: true },
      { label: texts.externalId, value: card.xid, isCode: true },
      { label: texts.cardId, value: card.id, isCode: true },
    ]),
    lists: [recent(writer, transactions)],
  }
}

function toAccount({ id }: CardAccount): EmbedTarget {
  return { type: 'card-account', id, cardAccountId: null }
}

function toCard({ cardId }: CardAccountTransaction, { id: cardAccountId }: CardAccount): EmbedTarget | undefined {
  return cardId === null ? undefined : { type: 'card', id: cardId, cardAccountId }
}

function describeTransaction(writer: Writer, { transaction, account, decline }: RecordsOf<'transaction'>): Described {
  const { texts, code, label, time } = writer
  const { intent, merchant, authorization, disputeStatus, cardLast4 } = transaction
  const status = transactionStatus(writer, transaction)
  const dispute = disputeStatus ? code(texts.disputeStatuses, disputeStatus) : null
  const reason = declineReason(writer, transaction)
  const why = decline && explainedDecline(writer, decline, transaction)
  return {
    title: transactionTitle(writer, transaction),
    subtitle: joined([
      intent && label(texts.intents, intent),
      merchant && texts.category(merchant.mcc, merchant.category),
      merchant?.country && texts.country(merchant.country),
    ]),
    status: reason === undefined ? status : { ...status, help: texts.nothingCharged(reason) },
    notes: [
      ...(why?.notes ?? []),
      ...(disputeStatus && dispute
        ? [{ tone: disputeStatusEntry(disputeStatus).tone, text: texts.statement(dispute.label, dispute.meaning) }]
        : []),
    ],
    figures: [transactionFigure(writer, transaction)],
    facts: facts([
      { label: texts.amountRequested, value: merchantAmount(writer, transaction) },
      { label: texts.kinds.card, value: cardLast4 && `•••• ${cardLast4}`, open: toCard(transaction, account) },
      { label: texts.kinds['card-account'], value: accountTitle(writer, account), open: toAccount(account) },
      { label: texts.recorded, value: time(transaction.createdAt) },
      { label: texts.posted, value: time(transaction.postedAt) },
      { label: texts.cardPresent, value: yesOrNo(writer, authorization?.cardPresent ?? null) },
      { label: texts.description, value: transaction.description },
      { label: texts.externalId, value: transaction.xid, isCode: true },
      { label: texts.transactionId, value: transaction.id, isCode: true },
    ]),
    lists: why?.lists ?? [],
  }
}

/** Why a charge was declined, as support needs it: the reason, what would let it pass, the words for the cardholder, the limits. */
function explainedDecline(
  writer: Writer,
  decline: TransactionDecline,
  transaction: CardAccountTransaction,
): Pick<Described, 'notes' | 'lists'> {
  const { texts, amount, time, zone } = writer
  const { declined } = texts
  const written = {
    texts: declined,
    amount,
    time: (instant: string) => `${time(instant, 'short') ?? instant} ${zone(instant)}`,
  }
  const { why, now, tell, bounds } = describeDecline(written, decline, transaction)
  return {
    notes: [
      { tone: 'bad', text: why },
      { tone: 'neutral', text: texts.labelled(declined.now, now) },
      { tone: 'info', text: texts.labelled(declined.tell, tell) },
    ],
    lists: [
      {
        title: declined.bounds,
        empty: declined.notKnown,
        rows: bounds.map(({ label, limit, slack, verdict, isOver }) => ({
          title: label,
          detail: joined([...new Set([limit, slack])].filter((text) => text !== verdict)),
          status: { label: verdict, tone: isOver ? 'bad' : 'neutral' },
          amount: null,
        })),
      },
    ],
  }
}

function transactionFigure(writer: Writer, transaction: CardAccountTransaction): Figure {
  const { amountNotCharged, amount: anyAmount, addedToBalance, takenFromBalance } = writer.texts
  const { amount, currency, status, entryType } = transaction
  if (isUncounted(status)) return figure(writer, amountNotCharged, amount, currency)
  if (entryType === 'DEBIT') return figure(writer, addedToBalance, amount, currency)
  // The label says what a minus would say again.
  if (entryType === 'CREDIT') return figure(writer, takenFromBalance, amount && Math.abs(amount), currency)
  return figure(writer, anyAmount, amount, currency)
}

/** The amount that the merchant requested, where it was in another currency than the account's. */
function merchantAmount(writer: Writer, transaction: CardAccountTransaction): string | null {
  const charge = foreignCharge(transaction)
  return charge && writer.amount(charge.amount, charge.currency)
}

function describePayout(writer: Writer, { payout }: RecordsOf<'payout'>): Described {
  const { texts, code, label, time } = writer
  const { destination, sourceCurrency, destinationCurrency, status, subStatus, method } = payout
  const { label: statusLabel, meaning } = code(texts.payoutStatuses, status)
  const step = subStatus ? code(texts.payoutSteps, subStatus) : null
  const { accountHolderName, accountNumber, country } = destination
  const isCancelled = status === 'cancelled' || Boolean(payout.cancellationReason)
  const wasPaid = status === null || !payoutStatusEntry(status).isReturned
  return {
    title: texts.payoutTo(accountHolderName || accountNumber || texts.unnamedBeneficiary),
    subtitle: joined([method && label(texts.payoutMethods, method), country && texts.country(country)]),
    status: {
      label: statusLabel,
      tone: payoutStatusEntry(status).tone,
      help: isCancelled ? texts.cancellation(payout.cancellationReason || null) : (step?.meaning ?? meaning),
    },
    notes: [],
    figures: [
      figure(writer, wasPaid ? texts.recipientGets : texts.toRecipient, payout.destinationAmount, destinationCurrency),
      figure(writer, wasPaid ? texts.sent : texts.fromAccount, payout.sourceAmount, sourceCurrency),
    ],
    facts: facts([
      // An order that ended as the payout did needs no sentence: the status says it.
      { label: texts.step, value: subStatus === `ORDER_${status?.toUpperCase()}` ? null : step?.label },
      {
        label: isToCard(payout) ? texts.cardNumber : texts.accountNumber,
        value: accountNumber && masked(accountNumber),
        isCode: true,
      },
      { label: texts.bank, value: destination.bankName },
      { label: texts.rate, value: pairRate(writer, payout) },
      { label: texts.created, value: time(payout.created) },
      { label: texts.updated, value: time(payout.updated) },
      { label: texts.externalId, value: payout.xid, isCode: true },
      { label: texts.payoutId, value: payout.id, isCode: true },
    ]),
    lists: [],
  }
}

function pairRate({ texts }: Writer, payout: RecordsOf<'payout'>['payout']): string | null {
  const { rate, sourceCurrency, destinationCurrency } = payout
  return (
    rate &&
    `1 ${sourceCurrency ?? texts.currencyNotProvided} = ${rate} ${destinationCurrency ?? texts.currencyNotProvided}`
  )
}

/** Four digits: a card account's number has no more, and a bank account's mask shows no more. */
function masked(accountNumber: string): string {
  return accountNumber.startsWith('•') ? accountNumber : `•••• ${accountNumber.slice(-4)}`
}

function figure(
  writer: Writer,
  label: string,
  amount: number | string | null,
  currency: string | null,
  tone: Figure['tone'] = 'neutral',
): Figure {
  return { label, amount: amount === null ? noValue : writer.figure(amount, currency), currency: currency ?? '', tone }
}

/** Facts without a value are left out: the console's page says what is missing. */
function facts(all: readonly Fact[]): EmbedView['facts'] {
  return all.flatMap(({ value, open, ...fact }) => (value ? [{ ...fact, value, ...(open ? { open } : {}) }] : []))
}

function yesOrNo({ texts }: Writer, value: boolean | null): string | null {
  return value === null ? null : value ? texts.yes : texts.no
}
