'use server'

import type { IssueCardInput } from '#lib/console/cards/issue.ts'
import type { CardActionInput } from '#lib/console/cards/operations.ts'
import { revealCard as requestReveal, type RevealCardInput } from '#lib/console/cards/reveal.ts'
import type { RevealCardResult } from '#lib/console/cards/shapes.ts'
import { withBareFailures } from '#lib/console/desk/bare-failure.ts'
import { act } from '#lib/console/desk/operations/act.ts'
import type { ActionResult } from '#lib/console/desk/shapes.ts'
import type { CardAction } from '#lib/contract/card-actions.ts'
import type { Card } from '#lib/contract/records.ts'

export async function performCardAction(action: CardAction, input: CardActionInput): Promise<ActionResult<Card>> {
  return act(`card.${action}`, input)
}

export async function revealCard(input: RevealCardInput): Promise<RevealCardResult> {
  return withBareFailures(() => requestReveal(input))
}

export async function issueCard(input: IssueCardInput): Promise<ActionResult<Card>> {
  return act('card.issue', input)
}
