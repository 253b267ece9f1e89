import { Callout } from '#components/ui/callout.tsx'
import { IdText } from '#components/ui/id-text.tsx'
import type { Outdated, QuoteProblem } from './quote-state.ts'
import type { Remaining } from './use-remaining.ts'

const outdatedSentences: Record<Outdated, string> = {
  edited: 'You changed the details. Get a new quote to continue.',
  refused: 'This quote cannot be used any more. A new one keeps everything that you typed.',
  used: 'This quote was used.',
}

/** What a quote's state means, said once when it begins, and why there is none. */
export function QuoteNotices({
  state,
  hasQuote,
  outdated,
  problem,
}: {
  state: Remaining['state']
  hasQuote: boolean
  outdated: Outdated | null
  problem: QuoteProblem | null
}) {
  return (
    <>
      {hasQuote && outdated !== null && <Callout tone="warn">{outdatedSentences[outdated]}</Callout>}
      <output className="sr-only">
        {hasQuote &&
          outdated === null &&
          state === 'last-call' &&
          'The quote is about to expire and cannot be submitted.'}
      </output>
      {hasQuote && outdated === null && state === 'expired' && (
        <Callout tone="warn" title="This quote has expired." isAlert>
          Nothing was sent. A new quote keeps everything that you typed and shows what changed.
        </Callout>
      )}
      {problem && <Problem problem={problem} />}
    </>
  )
}

function Problem({ problem }: { problem: QuoteProblem }) {
  const isInvalid = problem.kind === 'invalid'
  const labels = isInvalid ? problem.rest : [problem.outcome.happened]
  const { code, requestId } = isInvalid ? problem : problem.outcome
  const count = isInvalid ? Object.keys(problem.fields).length : 0
  return (
    <Callout
      tone="bad"
      title={
        isInvalid
          ? `${problem.by === 'service' ? 'The service' : 'The console'} refused what was entered.`
          : 'There is no quote.'
      }
      isAlert
    >
      {count > 0 &&
        `Check ${count === 1 ? 'the highlighted field' : `the ${count} highlighted fields`} and try again. `}
      {labels.length > 0 && `${labels.join('. ').replace(/[.\s]+$/, '')}. `}
      Nothing was changed. It is safe to try again.
      {code && (
        <span className="mt-1 flex flex-wrap items-center gap-1 text-xs">
          Code <code className="font-mono">{code}</code>
          {requestId && (
            <>
              · Request <IdText id={requestId} label="request id" />
            </>
          )}
        </span>
      )}
    </Callout>
  )
}
