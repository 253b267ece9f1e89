import { parseAsString, parseAsStringLiteral } from 'nuqs/server'
import { defineListParams, type FilterNames } from '#components/filters/list-params.ts'
import type { ApprovalFilters, ApprovalState } from '#lib/console/approvals/shapes.ts'
import { policyTopicNames } from '#lib/console/desk/approvals/policy-rules.ts'
import { approvalStateTable } from './approval-labels.ts'

export const approvalList = defineListParams({
  state: parseAsStringLiteral(Object.keys(approvalStateTable) as ApprovalState[]),
  topic: parseAsStringLiteral(policyTopicNames),
  by: parseAsString,
} satisfies FilterNames<ApprovalFilters>)
