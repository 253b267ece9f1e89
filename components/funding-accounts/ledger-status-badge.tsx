import { Ban, CircleCheck, Clock } from 'lucide-react'
import { StatusBadge } from '#components/ui/status-badge.tsx'
import { ledgerStatusEntry } from './ledger-words.ts'

const icons = { pending: Clock, posted: CircleCheck, void: Ban }

export function LedgerStatusBadge({ status }: { status: string }) {
  const { word, tone } = ledgerStatusEntry(status)
  const Icon = Object.hasOwn(icons, status) ? icons[status as keyof typeof icons] : undefined
  return <StatusBadge tone={tone} word={word} {...(Icon ? { icon: <Icon aria-hidden="true" /> } : {})} />
}
