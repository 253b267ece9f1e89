import { unstable_isUnrecognizedActionError } from 'next/navigation'
import { runAction } from '#lib/actions/run-action.ts'
import type { Outcome } from '#lib/operations/types.ts'
import { refusedHere } from './outcome-text.tsx'

type Refused = { kind: 'refused'; outcome: Outcome }

/**
 * Sends an action; where the console requires a passkey, requests one and sends the same action again. Cancelling
 * returns the error, with the next step, and so does a server that is away before it is sent again. The library loads with the first
 * confirmation.
 */
export async function withStepUp<Result extends { kind: string }>(
  send: () => Promise<Result | Refused>,
): Promise<Result | Refused> {
  const result = await send().catch(refusedByOtherBuild)
  if (!isRefused(result) || !result.outcome.stepUp) return result
  const { id, options } = result.outcome.stepUp
  const library = await import('@simplewebauthn/browser').catch(() => null)
  if (!library) return notConfirmed
  const signed = await library.startAuthentication({ optionsJSON: options }).catch(() => null)
  if (!signed) return { kind: 'refused', outcome: { ...result.outcome, happened: 'You didn’t confirm this.' } }
  const confirmed = await runAction('confirmStepUp', { id, response: signed }).catch(() => notConfirmed)
  if (confirmed.kind === 'refused') return confirmed
  return send()
}

const notConfirmed: Refused = {
  kind: 'refused',
  outcome: refusedHere({
    happened: 'Carddesk isn’t responding, so you couldn’t confirm this. Nothing was sent.',
    next: 'It’s safe to try again.',
  }),
}

/** The server runs another build than the page: it knows no action by the page's name, so it did nothing. Throws any other error. */
function refusedByOtherBuild(error: unknown): Refused {
  if (!unstable_isUnrecognizedActionError(error)) throw error
  const happened = 'Carddesk was updated after this page was opened, so it did not take the request.'
  return { kind: 'refused', outcome: refusedHere({ happened, next: 'Reload the page, then do it again.' }) }
}

function isRefused(result: { kind: string }): result is Refused {
  return result.kind === 'refused'
}
