import { CircleCheck, CircleDot, CircleHelp, CircleX } from 'lucide-react'
import { StatusBadge } from '#components/ui/status-badge.tsx'
import type { AuditEntry } from '#lib/console/desk/audit/audit.ts'
import { outcomeTable } from './audit-labels.ts'

const icons = { done: CircleCheck, partial: CircleDot, refused: CircleX, unknown: CircleHelp }

export function AuditOutcome({ outcome }: { outcome: AuditEntry['outcome'] }) {
  const { word, tone } = outcomeTable[outcome]
  const Icon = icons[outcome]
  return <StatusBadge tone={tone} word={word} icon={<Icon aria-hidden="true" />} />
}
