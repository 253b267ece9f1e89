'use server'

import type { CardActionInput } from '#lib/console/cards/operations.ts'
import { serverAction } from '#lib/console/desk/bare-failure.ts'
import { act, type InputOf } from '#lib/console/desk/operations/act.ts'
import type { OperationKind } from '#lib/console/desk/operations/kinds.ts'
import * as resolving from '#lib/console/desk/operations/resolve.ts'
import type { ActionResult } from '#lib/console/desk/shapes.ts'
import type { CardAction } from '#lib/contract/card-actions.ts'
import type { Card } from '#lib/contract/records.ts'

/** The server action of one kind of operation. */
function operation<Kind extends OperationKind>(kind: Kind) {
  return async (input: InputOf<Kind>) => act(kind, input)
}

export async function performCardAction(action: CardAction, input: CardActionInput): Promise<ActionResult<Card>> {
  return act(`card.${action}`, input)
}

export const issueCard = operation('card.issue')
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
