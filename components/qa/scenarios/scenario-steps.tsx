import { CircleAlert, CircleCheck, CircleDashed, CircleMinus } from 'lucide-react'
import { useEnvironment, useRead } from '#components/environment/use-environment.ts'
import { WhenRead } from '#components/environment/when-read.tsx'
import { Disclosure } from '#components/ui/disclosure.tsx'
import { IdText } from '#components/ui/id-text.tsx'
import { Spinner } from '#components/ui/spinner.tsx'
import { TextLink } from '#components/ui/text-link.tsx'
import { type Tone, toneText } from '#components/ui/tone.ts'
import type { ScenarioCaseOutcome, StepOutcome, StepReport } from '#lib/qa/lab/types.ts'
import { indentedJson } from '#lib/shared/json.ts'
import { type Environment, routes } from '#lib/shared/routes.ts'

type Label = { label: string; tone: Tone }

const outcomeLabels: Record<ScenarioCaseOutcome | StepOutcome, Label> = {
  waiting: { label: 'Waiting', tone: 'neutral' },
  running: { label: 'Running', tone: 'info' },
  passed: { label: 'Passed', tone: 'good' },
  failed: { label: 'Failed', tone: 'bad' },
  skipped: { label: 'Skipped', tone: 'warn' },
  stopped: { label: 'Stopped', tone: 'warn' },
  'not run': { label: 'Not run', tone: 'neutral' },
}

/** `420 ms`, `3.2 s`. */
export function stepTime(durationMs: number): string {
  return durationMs < 1000 ? `${durationMs} ms` : `${(durationMs / 1000).toFixed(1)} s`
}

/** The steps of a case in order: the request, the response, and the values expected and found. */
export function ScenarioSteps({
  runId,
  position,
  isShared,
}: {
  runId: string
  position: number
  /** The run was in the shared sandbox: the records that it created have pages. */
  isShared: boolean
}) {
  const query = useRead('readScenarioCase', runId, String(position))
  return (
    <WhenRead query={query} what="The case" blocks={['h-24']}>
      {({ report }) =>
        report === null ? (
          <p className="text-xs text-soft">This case hasn’t started.</p>
        ) : (
          <>
            <ol className="grid gap-1.5">
              {report.steps.map((step, index) => (
                // oxlint-disable-next-line react/no-array-index-key -- steps are only added at the end
                <Step key={index} step={step} />
              ))}
            </ol>
            {report.created.length > 0 && (
              <p className="mt-3 flex flex-wrap gap-x-3 gap-y-1 text-xs text-soft">
                <span className="font-medium">Created</span>
                {report.created.map(({ kind, id }) => (
                  <span key={id} className="inline-flex items-center gap-1">
                    {isShared ? <CreatedKind kind={kind} id={id} /> : kind}
                    <IdText id={id} label={`${kind} ID`} />
                  </span>
                ))}
              </p>
            )}
          </>
        )
      }
    </WhenRead>
  )
}

/** The kind of a created object, with a link where its id alone leads to its page. */
function CreatedKind({ kind, id }: { kind: string; id: string }) {
  const environment = useEnvironment()
  const href = createdHrefs[kind]?.(environment, id)
  if (!href) return kind
  return <TextLink href={href}>{kind}</TextLink>
}

const createdHrefs: Readonly<Record<string, (environment: Environment, id: string) => string>> = {
  'card account': routes.cardAccount,
  payout: routes.payout,
}

function Step({ step }: { step: StepReport }) {
  const { name, fragment, line, outcome, durationMs, reason, request, response, differences } = step
  const head = (
    <>
      <span className="min-w-0 flex-1">
        {name}
        {fragment !== null && <span className="text-xs text-faint"> {fragment}</span>}
      </span>
      <span className="text-xs whitespace-nowrap text-faint tabular-nums">
        {outcome === 'not run' ? 'not run' : stepTime(durationMs)}
      </span>
    </>
  )
  return (
    <li className="flex items-start gap-2.5">
      <OutcomeMark outcome={outcome} />
      <div className="min-w-0 flex-1">
        {request === null ? (
          <div className="flex items-baseline gap-2">{head}</div>
        ) : (
          <Disclosure
            tone="ink"
            isWide
            isOpen={outcome === 'failed'}
            title={<span className="flex min-w-0 flex-1 items-baseline gap-2">{head}</span>}
          >
            <div className="grid gap-1.5 pl-3.5">
              <Exchange title={`${request.method} ${request.path}`} body={request.body} />
              {response !== null && (
                <Exchange
                  title={response.status === null ? 'No response' : `HTTP ${response.status}`}
                  body={response.body}
                  requestId={response.requestId}
                />
              )}
            </div>
          </Disclosure>
        )}
        {reason !== null && <p className="text-xs text-soft">{reason}</p>}
        {differences.length > 0 && (
          <dl className="mt-1 grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-0.5 font-mono text-xs">
            {differences.map(({ path, expected, found }) => (
              <div key={`${path} ${expected}`} className="contents">
                <dt className="col-span-2 mt-1 font-sans text-soft">
                  {path}
                  {line !== null && `, line ${line}`}
                </dt>
                <dt className="text-soft">Expected</dt>
                <dd className="wrap-anywhere text-good">{expected}</dd>
                <dt className="text-soft">Found</dt>
                <dd className="wrap-anywhere text-bad">{found}</dd>
              </div>
            ))}
          </dl>
        )}
      </div>
    </li>
  )
}

function Exchange({ title, body, requestId }: { title: string; body: string | null; requestId?: string | null }) {
  return (
    <div className="min-w-0">
      <p className="flex flex-wrap items-center gap-x-2 font-mono text-xs wrap-anywhere text-soft">
        {title}
        {requestId && <IdText id={requestId} label="request ID" />}
      </p>
      {body !== null && (
        <pre className="mt-0.5 max-h-64 overflow-auto rounded-control border bg-surface p-2 font-mono text-xs wrap-anywhere whitespace-pre-wrap">
          {indentedJson(body)}
        </pre>
      )}
    </div>
  )
}

/** The icon of an outcome, with its label for a screen reader. */
export function OutcomeMark({ outcome }: { outcome: ScenarioCaseOutcome | StepOutcome }) {
  const { label, tone } = outcomeLabels[outcome]
  if (outcome === 'running') {
    return (
      <span className={`mt-0.5 shrink-0 ${toneText.info}`}>
        <Spinner />
        <span className="sr-only">{label}</span>
      </span>
    )
  }
  const Mark =
    outcome === 'passed'
      ? CircleCheck
      : outcome === 'failed'
        ? CircleAlert
        : outcome === 'waiting' || outcome === 'not run'
          ? CircleDashed
          : CircleMinus
  return (
    <span className={`mt-0.5 shrink-0 ${tone === 'neutral' ? 'text-faint' : toneText[tone]}`} title={label}>
      <Mark aria-hidden="true" className="size-4" />
      <span className="sr-only">{label}</span>
    </span>
  )
}
