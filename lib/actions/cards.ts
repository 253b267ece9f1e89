'use server'

import type {
  ActivateCardInput,
  CancelCardInput,
  CardActionInput,
  CardActionResult,
  ChangePinInput,
} from '#lib/console/card-actions.ts'
import * as cards from '#lib/console/card-actions.ts'

export async function lockCard(input: CardActionInput): Promise<CardActionResult> {
  return cards.lockCard(input)
}

export async function unlockCard(input: CardActionInput): Promise<CardActionResult> {
  return cards.unlockCard(input)
}

export async function suspendCard(input: CardActionInput): Promise<CardActionResult> {
  return cards.suspendCard(input)
}

export async function unsuspendCard(input: CardActionInput): Promise<CardActionResult> {
  return cards.unsuspendCard(input)
}

export async function cancelCard(input: CancelCardInput): Promise<CardActionResult> {
  return cards.cancelCard(input)
}

export async function activateCard(input: ActivateCardInput): Promise<CardActionResult> {
  return cards.activateCard(input)
}

export async function changePin(input: ChangePinInput): Promise<CardActionResult> {
  return cards.changePin(input)
}
