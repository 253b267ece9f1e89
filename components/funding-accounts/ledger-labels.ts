import { Ban, CircleCheck, Clock } from 'lucide-react'
import { parseAsServiceId } from '#components/filters/filter-values.ts'
import { defineListParams } from '#components/filters/list-params.ts'
import { type CodeEntry, codeEntry, codeLabel } from '#components/ui/code-entry.ts'
import { noValue } from '#components/ui/not-provided.tsx'
import { ledgerSearch } from '#lib/api/payouts.ts'
import type { accountTransactionIntents, accountTransactionStatuses } from '#lib/contract/accounts.ts'

type Intent = (typeof accountTransactionIntents)[number]
type Status = (typeof accountTransactionStatuses)[number]

export const ledgerIntentLabels: Record<Intent, string> = { payout: 'Payout', topup: 'Top-up', transfer: 'Transfer' }

export const ledgerStatusTable: Record<Status, CodeEntry> = {
  pending: {
    icon: Clock,
    label: 'Pending',
    tone: 'warn',
    meaning: 'Not in the balance yet; a payout on its way already holds its amount.',
  },
  posted: { icon: CircleCheck, label: 'Posted', tone: 'good', meaning: 'Final; it is in the balance.' },
  void: { icon: Ban, label: 'Void', tone: 'neutral', meaning: 'Let go; it never reached the balance.' },
}

export function ledgerIntentLabel(intent: string | null): string {
  return codeLabel(ledgerIntentLabels, intent)
}

/** The entry of a status; an unknown one is shown as the service sent it. */
export function ledgerStatusEntry(status: string | null): CodeEntry {
  return codeEntry(ledgerStatusTable, status)
}

/** Why an entry has no balance after it; null where its status does not explain it. */
export function noBalanceText(status: string | null): string | null {
  if (status === 'void') return noValue
  return status === 'pending' ? 'not posted yet' : null
}

/** Meaning of an amount's sign in this ledger, in the interface's terms. */
export const directionMeaning = '+ came in (API: credit), − went out (API: debit)'

/** `open` is the entry that is shown whole. */
export const ledgerList = defineListParams(ledgerSearch, { open: parseAsServiceId })
