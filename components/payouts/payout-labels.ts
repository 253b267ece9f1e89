import { Ban, CircleCheck, CircleHelp, CircleX, type LucideIcon, SearchCheck, Send } from 'lucide-react'
import { codeEntry } from '#components/ui/code-entry.ts'
import type { Tone } from '#components/ui/tone.ts'
import type { payoutStatuses, payoutSubStatuses } from '#lib/contract/payouts.ts'

type Status = (typeof payoutStatuses)[number]
type SubStatus = (typeof payoutSubStatuses)[number]

type PayoutStatusEntry = {
  label: string
  tone: Tone
  icon: LucideIcon
  meaning: string
  /** Where the money is: on the funding account, and at the beneficiary; shown below the amounts. */
  sourceNote: string
  destinationNote: string
  destinationTone: Tone
  /** The beneficiary isn't paid; the money goes back to the funding account. */
  isReturned: boolean
}

export const payoutStatusTable: Record<Status, PayoutStatusEntry> = {
  requested: {
    label: 'Requested',
    tone: 'warn',
    icon: SearchCheck,
    meaning: 'Accepted and under review. Nothing has been sent yet.',
    sourceNote: 'set aside',
    destinationNote: 'to be paid',
    destinationTone: 'neutral',
    isReturned: false,
  },
  processing: {
    label: 'Processing',
    tone: 'info',
    icon: Send,
    meaning: 'Reviewed. The money is on its way to the beneficiary.',
    sourceNote: 'set aside',
    destinationNote: 'on its way',
    destinationTone: 'neutral',
    isReturned: false,
  },
  completed: {
    label: 'Completed',
    tone: 'good',
    icon: CircleCheck,
    meaning: 'The beneficiary has been paid. This is final.',
    sourceNote: 'debited',
    destinationNote: 'paid',
    destinationTone: 'good',
    isReturned: false,
  },
  cancelled: {
    label: 'Cancelled',
    tone: 'bad',
    icon: Ban,
    meaning: 'Stopped before it was paid. The amount is returned to the funding account. This is final.',
    sourceNote: 'returned',
    destinationNote: 'not paid',
    destinationTone: 'neutral',
    isReturned: true,
  },
  failed: {
    label: 'Failed',
    tone: 'bad',
    icon: CircleX,
    meaning: 'The payment failed. The amount is returned to the funding account. This is final.',
    sourceNote: 'returned',
    destinationNote: 'not paid',
    destinationTone: 'neutral',
    isReturned: true,
  },
}

/** Read from the labels, since the contract's own lists would bring its schemas into the browser. */
export const offeredPayoutStatuses = Object.keys(payoutStatusTable) as Status[]

/** The label and tone of a status; an unknown one is shown as the service sent it, in a neutral tone. */
export function payoutStatusEntry(status: string | null): PayoutStatusEntry {
  const entry = codeEntry(payoutStatusTable, status)
  if ('sourceNote' in entry) return entry
  return {
    ...entry,
    icon: CircleHelp,
    sourceNote: 'outcome unknown',
    destinationNote: 'outcome unknown',
    destinationTone: 'neutral',
    isReturned: false,
  }
}

export const payoutSubStatusTable: Record<SubStatus, { label: string; meaning: string }> = {
  ORDER_UNDER_AML_REVIEW: {
    label: 'Under AML review',
    meaning: 'Checked against anti-money-laundering rules. Staff can’t speed it up.',
  },
  ORDER_SENT_TO_BANK: { label: 'Sent to bank', meaning: 'Sent to the bank, which pays it out.' },
  ORDER_COMPLETED: { label: 'Order completed', meaning: 'The bank has paid the order.' },
  ORDER_CANCELLED: { label: 'Order cancelled', meaning: 'The order was stopped.' },
  ORDER_REJECTED_BY_BANK: {
    label: 'Rejected by bank',
    meaning: 'The bank did not accept the order: check the beneficiary’s details before you pay again.',
  },
}

/** The entry of a sub-status; an unknown one is shown as the service sent it. */
export function payoutSubStatusEntry(subStatus: string): { label: string; meaning: string; isKnown: boolean } {
  return Object.hasOwn(payoutSubStatusTable, subStatus)
    ? { ...payoutSubStatusTable[subStatus as SubStatus], isKnown: true }
    : {
        label: subStatus,
        meaning: 'Unknown sub-status, shown as sent. Ask the card service what it means for the money.',
        isKnown: false,
      }
}

/** The reason of a cancellation, as text; null where there is nothing to say. */
export function cancellationText(payout: { status: string | null; cancellationReason: string | null }): string | null {
  if (payout.cancellationReason) return payout.cancellationReason
  return payout.status === 'cancelled' ? 'No reason was given.' : null
}

/** Who is paid, as a title; the account's number as the service gives it. */
export function beneficiaryName(destination: {
  accountHolderName: string | null
  accountNumber: string | null
}): string {
  return destination.accountHolderName || destination.accountNumber || 'unnamed beneficiary'
}
