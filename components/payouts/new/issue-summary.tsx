'use client'

import { Callout } from '#components/ui/callout.tsx'
import type { PayoutForm } from './use-payout-form.ts'

/** Everything that is wrong, each a link to its field. */
export function IssueSummary({ form }: { form: PayoutForm }) {
  const { errors, isRefused, goTo } = form
  if (errors.size === 0) return null
  return (
    <Callout
      tone="bad"
      title={errors.size === 1 ? 'Fix 1 field to get a quote.' : `Fix ${errors.size} fields to get a quote.`}
    >
      {isRefused ? 'The service refused it; nothing was changed.' : 'Nothing was sent.'}
      <ul className="mt-1 list-disc pl-4">
        {[...errors].map(([path, sentence]) => (
          <li key={path}>
            <button type="button" className="min-h-6 text-left underline underline-offset-2" onClick={() => goTo(path)}>
              {sentence}
            </button>
          </li>
        ))}
      </ul>
    </Callout>
  )
}
