import { NotProvided } from '#components/ui/not-provided.tsx'
import { StatusBadge } from '#components/ui/status-badge.tsx'
import { cardStatusEntry } from './card-status.ts'

export function CardStatusBadge({ status }: { status: string | null }) {
  if (!status) return <NotProvided what="Status" />
  const { label, tone, icon: Icon } = cardStatusEntry(status)
  return <StatusBadge tone={tone} label={label} icon={<Icon aria-hidden="true" />} />
}
