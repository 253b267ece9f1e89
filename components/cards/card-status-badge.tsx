import { StatusBadge } from '#components/ui/status-badge.tsx'
import { cardStatusEntry } from './card-status.ts'

export function CardStatusBadge({ status }: { status: string }) {
  const { word, tone, icon: Icon } = cardStatusEntry(status)
  return <StatusBadge tone={tone} word={word} icon={<Icon aria-hidden="true" />} />
}
