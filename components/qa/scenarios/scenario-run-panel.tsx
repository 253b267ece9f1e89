import { useQuery } from '@tanstack/react-query'
import { ChevronRight, Download, Square } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { useEnvironment } from '#components/environment/use-environment.ts'
import { WhenRead } from '#components/environment/when-read.tsx'
import { SelectField } from '#components/form/select-field.tsx'
import { StatusBadge } from '#components/ui/badge.tsx'
import { buttonStyle } from '#components/ui/button-style.ts'
import { Button } from '#components/ui/button.tsx'
import { EmptyState } from '#components/ui/empty-state.tsx'
import { Meter } from '#components/ui/meter.tsx'
import { usePageZone } from '#components/ui/page-zone.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { formatTime } from '#components/ui/time-format.ts'
import { Time } from '#components/ui/time.tsx'
import type { Tone } from '#components/ui/tone.ts'
import { readUrl } from '#lib/api/reads.ts'
import type { ScenarioCaseSummary, ScenarioRun, ScenarioRunState, ScenarioRunSummary } from '#lib/qa/lab/types.ts'
import { readQuery } from '#lib/queries/reads.ts'
import { sandboxName } from '../use-sandbox.ts'
import { OutcomeMark, ScenarioSteps, stepTime } from './scenario-steps.tsx'

const runLabels: Record<ScenarioRunState, { label: string; tone: Tone }> = {
  running: { label: 'Running', tone: 'info' },
  passed: { label: 'Passed', tone: 'good' },
  failed: { label: 'Failed', tone: 'bad' },
  stopped: { label: 'Stopped', tone: 'warn' },
  interrupted: { label: 'Interrupted', tone: 'warn' },
}

type Props = {
  runId: string | null
  /** The case whose steps are shown. */
  position: number | null
  runs: readonly ScenarioRunSummary[]
  onRun: (runId: string) => void
  onCase: (position: number | null) => void
  onStop: (runId: string) => void
  onEnded: () => void
}

/** The results of a run: its cases, live while it runs, and the steps of one case. */
export function ScenarioRunPanel(props: Props) {
  const { runId, runs, onRun } = props
  const environment = useEnvironment()
  const zone = usePageZone()
  const query = useQuery({ ...readQuery('readScenarioRun', environment, runId ?? ''), enabled: runId !== null })
  if (runId === null) {
    return (
      <Panel title="Run">
        <EmptyState title="No run yet">Run a scenario to see its steps here.</EmptyState>
      </Panel>
    )
  }
  const options = runs.map(({ id, startedAt, state, title }) => {
    // The run that is shown may have been read after the list.
    const { label } = runLabels[query.data?.id === id ? query.data.state : state]
    return { value: id, label: `${formatTime(startedAt, zone, 'time-seconds') ?? ''} · ${label} · ${title}` }
  })
  return (
    <Panel
      title="Run"
      isFlush
      actions={
        <SelectField
          label="Newest runs"
          isLabelHidden
          value={runId}
          options={
            options.some(({ value }) => value === runId) ? options : [{ value: runId, label: 'This run' }, ...options]
          }
          onChange={(event) => onRun(event.target.value)}
          className="w-72 max-w-full"
        />
      }
    >
      <WhenRead query={query} what="The run" blocks={['h-40']}>
        {(run) => <Run run={run} {...props} />}
      </WhenRead>
    </Panel>
  )
}

function Run({ run, position, onCase, onStop, onEnded }: Props & { run: ScenarioRun }) {
  const environment = useEnvironment()
  const { counts, state, cases } = run
  const done = counts.passed + counts.failed + counts.skipped
  const only = cases.length === 1 ? 0 : null
  const current = position ?? only ?? cases.find(({ outcome }) => outcome === 'failed')?.position ?? null
  useEnded(state, onEnded)
  return (
    <>
      <div className="grid gap-2 border-b px-4 py-3">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h3 className="font-medium">{run.title}</h3>
          <StatusBadge tone={runLabels[state].tone} label={runLabels[state].label} />
          <div className="ml-auto flex flex-wrap gap-2">
            {state === 'running' && (
              <Button size="small" icon={<Square aria-hidden="true" />} onClick={() => onStop(run.id)}>
                Stop run
              </Button>
            )}
            <a
              href={readUrl('scenarioJunit', environment, [run.id])}
              download="scenarios.junit.xml"
              className={buttonStyle({ size: 'small' })}
            >
              <Download aria-hidden="true" />
              JUnit XML
            </a>
          </div>
        </div>
        <Meter
          share={counts.total === 0 ? 0 : done / counts.total}
          label="Progress"
          valueText={progressText(counts)}
          tone={counts.failed > 0 ? 'bad' : 'good'}
        />
        <p className="text-xs text-soft">
          <output>{progressText(counts)}</output>, started <Time instant={run.startedAt} format="time-seconds" /> by{' '}
          {run.by}
          {run.sandbox !== null && ` in ${sandboxName(run.sandbox).toLowerCase()}`}
          {run.problem !== null && <span className="block text-bad">{run.problem}</span>}
        </p>
      </div>
      <ul className="divide-y">
        {cases.map((one) => (
          <Case
            key={one.position}
            one={one}
            isOpen={current === one.position}
            onOpen={(isOpen) => onCase(isOpen ? one.position : -1)}
          >
            <ScenarioSteps runId={run.id} position={one.position} isShared={run.sandbox === null} />
          </Case>
        ))}
      </ul>
    </>
  )
}

/** `12 of 86 done, 1 failed`. */
function progressText({ total, passed, failed, skipped }: ScenarioRunSummary['counts']): string {
  const done = `${passed + failed + skipped} of ${total} done`
  return [done, failed > 0 && `${failed} failed`, skipped > 0 && `${skipped} skipped`].filter(Boolean).join(', ')
}

/** Calls `onEnded` when a running run ends. */
function useEnded(state: ScenarioRunState, onEnded: () => void) {
  const last = useRef(state)
  useEffect(() => {
    if (last.current === 'running' && state !== 'running') onEnded()
    last.current = state
  }, [state, onEnded])
}

function Case({
  one,
  isOpen,
  onOpen,
  children,
}: {
  one: ScenarioCaseSummary
  isOpen: boolean
  onOpen: (isOpen: boolean) => void
  children: ReactNode
}) {
  const { title, label, outcome, durationMs, step, failure } = one
  const isWaiting = outcome === 'waiting'
  return (
    <li>
      <button
        type="button"
        aria-expanded={isOpen}
        className="flex w-full items-start gap-2.5 px-4 py-2 text-left transition-colors hover:bg-hover"
        onClick={() => onOpen(!isOpen)}
      >
        <OutcomeMark outcome={outcome} />
        <span className="min-w-0 flex-1">
          <span className="flex flex-wrap items-baseline gap-x-2">
            <span className={isWaiting ? 'text-soft' : ''}>{title}</span>
            {label !== null && <span className="text-xs text-soft">{label}</span>}
          </span>
          {!isOpen && step !== null && outcome !== 'passed' && (
            <span className="block text-xs wrap-anywhere text-soft">
              {step}
              {failure !== null && `: ${failure}`}
            </span>
          )}
        </span>
        {!isWaiting && outcome !== 'running' && (
          <span className="text-xs whitespace-nowrap text-faint tabular-nums">{stepTime(durationMs)}</span>
        )}
        <ChevronRight
          aria-hidden="true"
          className={`mt-0.5 size-4 shrink-0 text-faint transition-transform ${isOpen ? 'rotate-90' : ''}`}
        />
      </button>
      {isOpen && <div className="border-t bg-sunken px-4 py-3">{isWaiting ? <Waiting /> : children}</div>}
    </li>
  )
}

function Waiting() {
  return <p className="text-xs text-soft">This case hasn’t started.</p>
}
