import { Ban, CircleCheck, CircleX, Clock, Scale } from 'lucide-react'
import { tableOptions } from '#components/form/options.ts'
import { type CodeEntry, codeEntry, codeInSentence, codeLabel } from '#components/ui/code-entry.ts'
import { formatCount } from '#components/ui/count.ts'
import type { CardAccountTransaction } from '#lib/contract/records.ts'
import { openDisputeStatuses, type TransactionIntent, type TransactionStatus } from '#lib/contract/terms.ts'
import type { DisputeStatus } from '#lib/contract/transactions.ts'
import type { IndexedTransaction } from '#lib/index/types.ts'
import { shortId } from '#lib/shared/ids.ts'
import { dayMs } from '#lib/shared/time.ts'

export const transactionStatusTable: Record<TransactionStatus, CodeEntry> = {
  pending: {
    icon: Clock,
    label: 'Pending',
    tone: 'warn',
    meaning: 'Counts in the balance; amount and details may still change.',
  },
  posted: { icon: CircleCheck, label: 'Posted', tone: 'good', meaning: 'Final; it is in the balance.' },
  declined: { icon: CircleX, label: 'Declined', tone: 'bad', meaning: 'The balance did not change.' },
  void: { icon: Ban, label: 'Void', tone: 'neutral', meaning: 'Cancelled; it no longer counts in the balance.' },
}

export const disputeStatusTable: Record<DisputeStatus, CodeEntry> = {
  requested: { icon: Scale, label: 'Dispute requested', tone: 'warn', meaning: 'Counts in the disputed amount.' },
  pending: {
    icon: Scale,
    label: 'Dispute pending',
    tone: 'warn',
    meaning: 'Under review; counts in the disputed amount.',
  },
  success: { icon: Scale, label: 'Dispute won', tone: 'good', meaning: 'Decided for the cardholder.' },
  failed: { icon: Scale, label: 'Dispute lost', tone: 'bad', meaning: 'Decided against the cardholder.' },
  reported: {
    icon: Scale,
    label: 'Dispute reported',
    tone: 'info',
    meaning: 'Reported to the card network. Doesn’t count in the disputed amount.',
  },
}

/** Every status of a dispute, and none. */
export const disputeOptions = [...tableOptions(disputeStatusTable), { value: '', label: 'Not disputed' }]

export const intentTitle: Record<TransactionIntent, string> = {
  charge: 'Charge',
  refund: 'Refund',
  topup: 'Top-up',
  withdraw: 'Withdrawal',
  transfer: 'Transfer',
  repay: 'Repayment',
  cashback: 'Cashback',
  interest: 'Interest',
  fee: 'Fee',
  other: 'Other',
}

/** The entry of a transaction status; an unknown one is shown as the service sent it. */
export function transactionStatusEntry(status: string | null): CodeEntry {
  return codeEntry(transactionStatusTable, status)
}

/** "posted": a transaction status within a sentence; an unknown one as the service sent it. */
export function transactionStatusInSentence(status: string | null): string {
  return codeInSentence(transactionStatusTable, status)
}

export function disputeStatusEntry(status: string): CodeEntry {
  return codeEntry(disputeStatusTable, status)
}

export function intentLabel(intent: string | null): string {
  return codeLabel(intentTitle, intent)
}

/** Fields of a transaction in a list, from the service or the index. */
export type ListedTransaction = Omit<
  IndexedTransaction,
  'asOf' | 'cardAccountId' | 'disputeOpenedAt' | 'disputeMayBeOlder'
> & { cardAccountId: string | null }

type Named = Pick<CardAccountTransaction, 'id' | 'description' | 'intent'> &
  Partial<Pick<CardAccountTransaction, 'merchant'>>

/** Title of a transaction: its merchant, else its description, its intent, or its shortened id. */
export function transactionTitle({ id, merchant, description, intent }: Named): string {
  return merchant?.name || description || (intent ? intentLabel(intent) : `Transaction ${shortId(id)}`)
}

/** Why a charge was declined, as text; undefined for another transaction. */
export function declineReason(transaction: Pick<ListedTransaction, 'status' | 'authorization'>): string | undefined {
  const { responseMessage, responseCode } = transaction.authorization ?? {}
  return transaction.status === 'declined' ? declineText(responseMessage, responseCode) : undefined
}

/** Why a charge was declined: the service's message, and its code for looking it up. */
export function declineText(message: string | null | undefined, code: string | null | undefined): string {
  if (!message) return code ? `response code ${code}, no reason given` : 'no reason given'
  return withCode(message, code)
}

/** The issuer's response, with its code. */
export function responseText({ authorization }: Pick<ListedTransaction, 'authorization'>): string | null {
  const { responseMessage, responseCode } = authorization ?? {}
  if (!responseMessage) return responseCode ? `response code ${responseCode}` : null
  return withCode(responseMessage, responseCode)
}

function withCode(message: string, code: string | null | undefined): string {
  return code ? `${message} (response code ${code})` : message
}

/** The interface's own terms for direction, which are not a bank's. */
export const entryTypeMeaning = 'API: DEBIT adds, CREDIT subtracts'

/** Whether a dispute is not decided yet. */
export function isOpenDispute(status: string | null): boolean {
  return openDisputeStatuses.includes(status ?? '')
}

/** How long a dispute has been open: "3 days", "less than a day". */
export function disputeAge(ageMs: number): string {
  const days = Math.floor(ageMs / dayMs)
  return days < 1 ? 'less than a day' : formatCount(days, 'day')
}
