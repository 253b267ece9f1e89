import { Scale } from 'lucide-react'
import { StatusBadge } from '#components/ui/status-badge.tsx'
import { disputeStatusEntry } from './transaction-labels.ts'

export function DisputeBadge({ status }: { status: string }) {
  const { label, tone } = disputeStatusEntry(status)
  return <StatusBadge tone={tone} label={label} icon={<Scale aria-hidden="true" />} />
}
