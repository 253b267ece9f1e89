'use server'

import type { ApprovalResult, DecideApprovalInput, WithdrawApprovalInput } from '#lib/console/desk/approvals/decide.ts'
import * as decisions from '#lib/console/desk/approvals/decide.ts'
import type { DecidePolicyInput, PolicyResult, ProposePolicyInput } from '#lib/console/desk/approvals/policy-changes.ts'
import * as policies from '#lib/console/desk/approvals/policy-changes.ts'
import { withBareFailures } from '#lib/console/desk/bare-failure.ts'

export async function decideApproval(input: DecideApprovalInput): Promise<ApprovalResult> {
  return withBareFailures(() => decisions.decideApproval(input))
}

export async function withdrawApproval(input: WithdrawApprovalInput): Promise<ApprovalResult> {
  return withBareFailures(() => decisions.withdrawApproval(input))
}

/** Sends an approved request again that did not leave, because the service could not be reached. */
export async function sendApproved(input: WithdrawApprovalInput): Promise<ApprovalResult> {
  return withBareFailures(() => decisions.sendApproved(input))
}

export async function proposePolicy(input: ProposePolicyInput): Promise<PolicyResult> {
  return withBareFailures(() => policies.proposePolicy(input))
}

export async function decidePolicy(input: DecidePolicyInput): Promise<PolicyResult> {
  return withBareFailures(() => policies.decidePolicy(input))
}
