import { onlyRoles } from '#lib/console/desk/permissions.ts'
import type { Environment } from '#lib/shared/routes.ts'
import type { Outdated } from './quote-state.ts'
import type { Remaining } from './use-remaining.ts'

/** Why a quote cannot be requested, or not be submitted, right now; undefined where it can. */
export function unavailableReasons({
  environment,
  mayPay,
  isOffered,
  state,
  outdated,
  isOutcomeOpen,
}: {
  environment: Environment
  mayPay: boolean
  isOffered: boolean
  state: Remaining['state']
  outdated: Outdated | null
  isOutcomeOpen: boolean
}): { quoting: string | undefined; submitting: string | undefined } {
  const role = mayPay ? undefined : onlyRoles('payouts.submit')
  const reasons: (string | false | undefined)[] = [
    role,
    !isOffered && `Submitting payouts is switched off for ${environment}.`,
    isOutcomeOpen && 'The outcome of the last submission is not known yet.',
    outdated === 'edited' && 'Get a new quote for the changed details first.',
    outdated !== null && 'This quote cannot be used any more.',
    state === 'expired' && 'This quote has expired.',
    state === 'last-call' && 'Too late: the quote expires within five seconds.',
  ]
  return { quoting: role, submitting: reasons.find((reason) => typeof reason === 'string') || undefined }
}
