import { Ban, CircleCheck, Clock } from 'lucide-react'
import { NotProvided } from '#components/ui/not-provided.tsx'
import { StatusBadge } from '#components/ui/status-badge.tsx'
import { ledgerStatusEntry } from './ledger-labels.ts'

const icons = { pending: Clock, posted: CircleCheck, void: Ban }

export function LedgerStatusBadge({ status }: { status: string | null }) {
  if (!status) return <NotProvided what="Status" />
  const { label, tone } = ledgerStatusEntry(status)
  const Icon = Object.hasOwn(icons, status) ? icons[status as keyof typeof icons] : undefined
  return <StatusBadge tone={tone} label={label} {...(Icon ? { icon: <Icon aria-hidden="true" /> } : {})} />
}
