import { StatusBadge } from '#components/ui/status-badge.tsx'
import type { ApprovalState } from '#lib/console/approvals/shapes.ts'
import { approvalStateTable } from './approval-labels.ts'

export function ApprovalBadge({ state }: { state: ApprovalState }) {
  const { label, tone, icon: Icon } = approvalStateTable[state]
  return <StatusBadge tone={tone} label={label} icon={<Icon aria-hidden="true" />} />
}
