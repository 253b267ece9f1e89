'use server'

import { act, type InputOf } from '#lib/console/act.ts'
import type { CardActionInput } from '#lib/console/cards/operations.ts'
import type { CardAction } from '#lib/contract/card-actions.ts'
import type { Card } from '#lib/contract/records.ts'
import type { OperationKind } from '#lib/operations/kinds.ts'
import * as resolving from '#lib/operations/resolve.ts'
import type { ActionResult } from '#lib/operations/types.ts'
import { serverAction } from '#lib/shared/sanitized-errors.ts'

/** The server action of one kind of operation. */
function operation<Kind extends OperationKind>(kind: Kind) {
  return async (input: InputOf<Kind>) => act(kind, input)
}

export async function performCardAction(action: CardAction, input: CardActionInput): Promise<ActionResult<Card>> {
  return act(`card.${action}`, input)
}

export const issueCard = operation('card.issue')
export const replaceCard = operation('card.replace')
export const openAccount = operation('account.open')
export const setLimit = operation('account.set-limit')
export const waiveFee = operation('fee.waive')
export const submitPayout = operation('payout.submit')
export const resubmitIdentity = operation('identity.resubmit')
export const simulateIdentity = operation('identity.simulate')
export const setReference = operation('reference.set')
export const createWebhook = operation('webhook.create')
export const recreateWebhook = operation('webhook.recreate')
export const removeWebhook = operation('webhook.remove')

export const resolveOperation = serverAction(resolving.resolveOperation)
