import { Ban, CircleCheck, CircleX, Clock } from 'lucide-react'
import { NotProvided } from '#components/ui/not-provided.tsx'
import { StatusBadge } from '#components/ui/status-badge.tsx'
import { transactionStatusEntry } from './transaction-labels.ts'

const icons = { pending: Clock, posted: CircleCheck, declined: CircleX, void: Ban }

export function TransactionStatusBadge({ status }: { status: string | null }) {
  if (!status) return <NotProvided what="Status" />
  const { label, tone } = transactionStatusEntry(status)
  const Icon = Object.hasOwn(icons, status) ? icons[status as keyof typeof icons] : undefined
  return <StatusBadge tone={tone} label={label} {...(Icon ? { icon: <Icon aria-hidden="true" /> } : {})} />
}
