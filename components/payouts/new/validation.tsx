'use client'

import { CircleCheck, ShieldCheck } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { useEnvironment } from '#components/environment/use-environment.ts'
import { consoleUnreachableUnchanged } from '#components/operations/outcome-text.tsx'
import { Button } from '#components/ui/button.tsx'
import { Callout } from '#components/ui/callout.tsx'
import { IdText } from '#components/ui/id-text.tsx'
import { runAction } from '#lib/actions/run-action.ts'
import type { ValidationResult } from '#lib/console/payouts/types.ts'
import type { PayoutForm } from './use-payout-form.ts'
import type { QuoteProblem } from './use-quote.ts'

/** The service's validation of what is entered, as a step of its own. A response for other entries is dropped. */
export function useValidation() {
  const environment = useEnvironment()
  const newest = useRef(0)
  const [isPending, setIsPending] = useState(false)
  const [result, setResult] = useState<ValidationResult | 'lost' | null>(null)

  async function validate(form: PayoutForm) {
    if (isPending || !form.isRight('validation')) return
    const request = (newest.current += 1)
    setIsPending(true)
    setResult(null)
    const received = await runAction('validatePayout', { environment, ...form.entry }).catch(() => 'lost' as const)
    setIsPending(false)
    if (newest.current !== request) return
    setResult(received)
    if (received !== 'lost' && received.kind === 'invalid') form.refuse(received.fields, true)
  }

  return {
    isPending,
    result,
    validate,
    edited() {
      newest.current += 1
      setResult(null)
    },
  }
}

/** The step between the beneficiary and the quote: optional, and without a quote's time limit. */
export function ValidationStep({
  form,
  validation: { isPending, result, validate },
}: {
  form: PayoutForm
  validation: ReturnType<typeof useValidation>
}) {
  return (
    <div className="grid gap-3 border-t pt-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Button icon={<ShieldCheck aria-hidden="true" />} isPending={isPending} onClick={() => void validate(form)}>
          Validate beneficiary
        </Button>
        <span className="text-xs text-faint">Optional. A quote validates, too.</span>
      </div>
      <output className="empty:hidden">{result !== null && <Validated result={result} />}</output>
    </div>
  )
}

function Validated({ result }: { result: ValidationResult | 'lost' }) {
  if (result === 'lost') return <Callout tone="bad">{consoleUnreachableUnchanged}</Callout>
  if (result.kind === 'valid') {
    return result.isSaid ? (
      <p className="flex items-start gap-1.5 text-good">
        <CircleCheck aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
        <span>
          Valid. <span className="text-soft">It can still fail later, for reasons that are not checked here.</span>
        </span>
      </p>
    ) : (
      <p className="text-warn">The card service doesn’t say whether it is valid.</p>
    )
  }
  return <EntryProblem problem={result} title={result.kind === 'invalid' ? 'Not valid.' : 'Couldn’t validate it.'} />
}

/** Why what is entered was not accepted; its fields say their own issues. `children` is the next step. */
export function EntryProblem({
  problem,
  title,
  children,
}: {
  problem: QuoteProblem
  title: string
  children?: ReactNode
}) {
  const isInvalid = problem.kind === 'invalid'
  const byService = 'by' in problem ? problem : null
  const reasons = isInvalid ? (byService?.rest ?? []) : [problem.outcome.happened]
  const { code = null, requestId = null } = (isInvalid ? byService : problem.outcome) ?? {}
  const count = isInvalid ? Object.keys(problem.fields).length : 0
  return (
    <Callout tone="bad" title={title} isAlert>
      {count > 0 && `Check ${count === 1 ? 'the highlighted field' : `the ${count} highlighted fields`}. `}
      {reasons.length > 0 && `${reasons.join('. ').replace(/(?<![.\s])[.\s]+$/, '')}. `}
      {children}
      <ProblemCode code={code} requestId={requestId} />
    </Callout>
  )
}

/** The code and the request ID of a problem, to quote to support; nothing where it has no code. */
function ProblemCode({ code, requestId }: { code: string | null; requestId: string | null }) {
  if (!code) return null
  return (
    <span className="mt-1 flex flex-wrap items-center gap-1 text-xs">
      Code <code className="font-mono">{code}</code>
      {requestId && (
        <>
          · Request <IdText id={requestId} label="request ID" />
        </>
      )}
    </span>
  )
}
