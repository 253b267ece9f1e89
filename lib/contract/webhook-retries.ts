import { hourMs, minuteMs, secondMs } from '#lib/shared/time.ts'

/**
 * Decision: how long each attempt at a message comes after the one before; the first is made at once. The built-in service keeps this
 * schedule; of any other service the console estimates by it when a suspension began.
 */
export const retryGapsMs = [
  5 * secondMs,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  10 * hourMs,
] as const
/** Attempts at a message, the first one included. The failure of the last suspends the webhook. */
export const attemptsAtMessage = 1 + retryGapsMs.length

/** The interface: a suspended webhook gets a ping every 5 minutes for up to 24 hours, and is then deleted. */
export const pingEveryMs = 5 * minuteMs
export const pingsBeforeDeletion = (24 * hourMs) / pingEveryMs
