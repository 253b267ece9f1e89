import { Scale } from 'lucide-react'
import { StatusBadge } from '#components/ui/status-badge.tsx'
import { disputeStatusEntry } from './transaction-labels.ts'

export function DisputeBadge({ status }: { status: string }) {
  const { word, tone } = disputeStatusEntry(status)
  return <StatusBadge tone={tone} word={word} icon={<Scale aria-hidden="true" />} />
}
