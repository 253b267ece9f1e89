import { Ban, Check, Clock, Hourglass, type LucideIcon, Undo2 } from 'lucide-react'
import { parseAsString, parseAsStringLiteral } from 'nuqs/server'
import { defineListParams, type FilterNames } from '#components/filters/list-params.ts'
import type { Tone } from '#components/ui/tone.ts'
import type { Approval, ApprovalState, Approvers, ApprovalFilters } from '#lib/console/approvals/shapes.ts'
import { policyTopicNames } from '#lib/console/desk/approvals/policy-rules.ts'
import { type Role, roleNames } from '#lib/console/desk/permissions.ts'
import { type Environment, routes } from '#lib/shared/routes.ts'

export const approvalStateTable: Record<ApprovalState, { label: string; tone: Tone; icon: LucideIcon }> = {
  waiting: { label: 'Waiting', tone: 'warn', icon: Hourglass },
  approved: { label: 'Approved', tone: 'good', icon: Check },
  declined: { label: 'Declined', tone: 'bad', icon: Ban },
  expired: { label: 'Expired', tone: 'neutral', icon: Clock },
  withdrawn: { label: 'Withdrawn', tone: 'neutral', icon: Undo2 },
}

/** Who can decide, as a sentence. */
export function approversText({ count, roles }: Approvers): string {
  const names = roles.map((role) => roleNames[role as Role]).join(' or ')
  if (count === 0) return `Nobody else is ${names} now. Ask an administrator.`
  return count === 1 ? `1 person can decide (${names}).` : `${count} people can decide (${names}).`
}

/** Where the object of a request is; null where it has no page. */
export function targetHref(environment: Environment, { subject, id, target }: Approval): string | null {
  if (subject === 'bulk-job') return routes.bulkJob(environment, id)
  if (target.type === 'card' && target.parentId) return routes.card(environment, target.parentId, target.id)
  if (target.type === 'cardaccount') return routes.cardAccount(environment, target.id)
  return null
}

export const approvalList = defineListParams({
  state: parseAsStringLiteral(Object.keys(approvalStateTable) as ApprovalState[]),
  topic: parseAsStringLiteral(policyTopicNames),
  by: parseAsString,
} satisfies FilterNames<ApprovalFilters>)
