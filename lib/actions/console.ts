'use server'

import '#lib/console/operation-table.ts'
import * as bulk from '#lib/console/bulk/control.ts'
import * as jobs from '#lib/console/bulk/start.ts'
import type { JobPreviewResult, StartJobResult } from '#lib/console/bulk/types.ts'
import * as reveal from '#lib/console/cards/reveal.ts'
import * as connection from '#lib/console/connection/read.ts'
import * as embedTokens from '#lib/console/embed/create-token.ts'
import * as embedKeys from '#lib/console/embed/keys.ts'
import * as funding from '#lib/console/funding-thresholds.ts'
import * as limits from '#lib/console/limits/many.ts'
import * as notes from '#lib/console/notes/write.ts'
import * as ownSessions from '#lib/console/own-account/own-sessions.ts'
import * as passkeys from '#lib/console/own-account/passkeys.ts'
import type { EnrolmentResult } from '#lib/console/own-account/types.ts'
import * as quotes from '#lib/console/payouts/quote.ts'
import * as savedViews from '#lib/console/saved-views.ts'
import * as staff from '#lib/console/staff/staff-admin.ts'
import * as acknowledgements from '#lib/console/webhooks/acknowledge.ts'
import * as deliveries from '#lib/console/webhooks/control.ts'
import * as approvals from '#lib/operations/approvals/decide.ts'
import * as policy from '#lib/operations/approvals/policy-changes.ts'
import type { BulkKind } from '#lib/operations/bulk/types.ts'
import { serverAction, withBareFailures } from '#lib/shared/sanitized-errors.ts'

export const decideApproval = serverAction(approvals.decideApproval)
export const withdrawApproval = serverAction(approvals.withdrawApproval)
export const sendApproved = serverAction(approvals.sendApproved)
export const proposePolicy = serverAction(policy.proposePolicy)
export const decidePolicy = serverAction(policy.decidePolicy)

export const previewLimits = serverAction(limits.previewLimits)
export const startLimits = serverAction(limits.startLimits)
export async function previewJob(kind: BulkKind, input: jobs.PreviewJobInput): Promise<JobPreviewResult> {
  return withBareFailures(() => jobs.previewJob(kind, input))
}

export async function startJob(kind: BulkKind, input: jobs.StartJobInput): Promise<StartJobResult> {
  return withBareFailures(() => jobs.startJob(kind, input))
}

export const pauseBulkJob = serverAction(bulk.pauseBulkJob)
export const resumeBulkJob = serverAction(bulk.resumeBulkJob)
export const cancelBulkJob = serverAction(bulk.cancelBulkJob)

export const addNote = serverAction(notes.addNote)
export const pinNote = serverAction(notes.pinNote)
export const takeHandover = serverAction(notes.takeHandover)
export const finishHandover = serverAction(notes.finishHandover)

export const saveView = serverAction(savedViews.saveView)
export const changeView = serverAction(savedViews.changeView)
export const deleteView = serverAction(savedViews.deleteView)

export const revealCard = serverAction(reveal.revealCard)
export const quotePayout = serverAction(quotes.quotePayout)
export const validatePayout = serverAction(quotes.validatePayout)

export const setFundingThreshold = serverAction(funding.setFundingThreshold)

export const testWebhook = serverAction(deliveries.testWebhook)
export const replayDelivery = serverAction(deliveries.replayDelivery)
export const replaySince = serverAction(deliveries.replaySince)
export const retryDelivery = serverAction(deliveries.retryDelivery)
export const skipDelivery = serverAction(deliveries.skipDelivery)
export const acknowledgeWebhook = serverAction(acknowledgements.acknowledgeWebhook)

export const createEmbedToken = serverAction(embedTokens.createEmbedToken)
export const createEmbedKey = serverAction(embedKeys.createEmbedKey)
export const revokeEmbedKey = serverAction(embedKeys.revokeEmbedKey)

export const changeStaffAccess = serverAction(staff.changeStaffAccess)
export const inviteToDesk = serverAction(staff.inviteToDesk)

export const endOwnSession = serverAction(ownSessions.endOwnSession)

export async function beginEnrolment(): Promise<EnrolmentResult> {
  return withBareFailures(passkeys.beginEnrolment)
}

export const finishEnrolment = serverAction(passkeys.finishEnrolment)
export const renamePasskey = serverAction(passkeys.renamePasskey)
export const removePasskey = serverAction(passkeys.removePasskey)
export const confirmStepUp = serverAction(passkeys.confirmStepUp)

export const runConnectionCheck = serverAction(connection.runConnectionCheck)
