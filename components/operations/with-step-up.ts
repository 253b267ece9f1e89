import { confirmStepUp } from '#lib/actions/console.ts'
import type { Outcome } from '#lib/console/desk/shapes.ts'

type Refused = { kind: 'refused'; outcome: Outcome }

/**
 * Sends an action; where the console requires a passkey, requests one and sends the same action again. Cancelling
 * returns the error, with the next step. The library loads with the first confirmation.
 */
export async function withStepUp<Result extends { kind: string }>(
  send: () => Promise<Result | Refused>,
): Promise<Result | Refused> {
  const result = await send()
  if (!isRefused(result) || !result.outcome.stepUp) return result
  const { id, options } = result.outcome.stepUp
  const { startAuthentication } = await import('@simplewebauthn/browser')
  const signed = await startAuthentication({ optionsJSON: options }).catch(() => null)
  if (!signed) return { kind: 'refused', outcome: { ...result.outcome, happened: 'You didn’t confirm this.' } }
  const confirmed = await confirmStepUp({ id, response: signed })
  if (confirmed.kind === 'refused') return confirmed
  return send()
}

function isRefused(result: { kind: string }): result is Refused {
  return result.kind === 'refused'
}
