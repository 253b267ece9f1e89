import { NotProvided } from '#components/ui/not-provided.tsx'
import { StatusBadge } from '#components/ui/status-badge.tsx'
import { payoutStatusEntry } from './payout-labels.ts'

export function PayoutStatusBadge({ status }: { status: string | null }) {
  if (!status) return <NotProvided what="Status" />
  const { label, tone, icon: Icon } = payoutStatusEntry(status)
  return <StatusBadge tone={tone} label={label} icon={<Icon aria-hidden="true" />} />
}
