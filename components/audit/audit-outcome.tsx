import { CircleCheck, CircleDot, CircleHelp, CircleX } from 'lucide-react'
import { StatusBadge } from '#components/ui/status-badge.tsx'
import type { AuditEntry } from '#lib/console/desk/shapes.ts'
import { outcomeTable } from './audit-labels.ts'

const icons = { done: CircleCheck, partial: CircleDot, refused: CircleX, unknown: CircleHelp }

export function AuditOutcome({ outcome }: { outcome: AuditEntry['outcome'] }) {
  const { label, tone } = outcomeTable[outcome]
  const Icon = icons[outcome]
  return <StatusBadge tone={tone} label={label} icon={<Icon aria-hidden="true" />} />
}
