'use server'

import type {
  ActivateCardInput,
  CancelCardInput,
  CardActionInput,
  CardActionResult,
  ChangePinInput,
} from '#lib/console/cards/actions.ts'
import * as cards from '#lib/console/cards/actions.ts'
import { withBareFailures } from '#lib/console/desk/bare-failure.ts'

export async function lockCard(input: CardActionInput): Promise<CardActionResult> {
  return withBareFailures(() => cards.lockCard(input))
}

export async function unlockCard(input: CardActionInput): Promise<CardActionResult> {
  return withBareFailures(() => cards.unlockCard(input))
}

export async function suspendCard(input: CardActionInput): Promise<CardActionResult> {
  return withBareFailures(() => cards.suspendCard(input))
}

export async function unsuspendCard(input: CardActionInput): Promise<CardActionResult> {
  return withBareFailures(() => cards.unsuspendCard(input))
}

export async function cancelCard(input: CancelCardInput): Promise<CardActionResult> {
  return withBareFailures(() => cards.cancelCard(input))
}

export async function activateCard(input: ActivateCardInput): Promise<CardActionResult> {
  return withBareFailures(() => cards.activateCard(input))
}

export async function changePin(input: ChangePinInput): Promise<CardActionResult> {
  return withBareFailures(() => cards.changePin(input))
}
