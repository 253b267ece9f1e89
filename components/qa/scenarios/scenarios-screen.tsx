'use client'

import { useMutation } from '@tanstack/react-query'
import { CircleDot, FileCode, Play } from 'lucide-react'
import { useQueryStates } from 'nuqs'
import { parseAsInteger, parseAsString } from 'nuqs/server'
import { useRef, useState } from 'react'
import { useEnvironment, useRead } from '#components/environment/use-environment.ts'
import { WhenRead } from '#components/environment/when-read.tsx'
import { buttonStyle } from '#components/ui/button-style.ts'
import { Button } from '#components/ui/button.tsx'
import { Callout } from '#components/ui/callout.tsx'
import { formatCount } from '#components/ui/count.ts'
import { lazyDialog } from '#components/ui/dialog.tsx'
import { Time } from '#components/ui/time.tsx'
import { readUrl } from '#lib/api/reads.ts'
import type { Recording } from '#lib/qa/lab/types.ts'
import { readFile } from '#lib/queries/read.ts'
import { LabFrame } from '../lab-frame.tsx'
import { useSandbox } from '../use-sandbox.ts'
import { ScenarioFileForm } from './scenario-file-form.tsx'
import { ScenarioList } from './scenario-list.tsx'
import { ScenarioRunPanel } from './scenario-run-panel.tsx'
import { useScenarioRuns, type SharedQuestion } from './use-scenario-runs.ts'

const ConfirmDialog = lazyDialog(() => import('#components/form/confirm-dialog.tsx').then((file) => file.ConfirmDialog))

/** The URL parameters of the page: the shown run and case, and the tag of the list. */
const scenarioParams = { run: parseAsString, case: parseAsInteger, tag: parseAsString }

/** The scenarios of the lab: the built-in ones, an uploaded file, and the results of a run. */
export function ScenariosScreen() {
  const [params, setParams] = useQueryStates(scenarioParams, { history: 'push' })
  /** The form of a file, with what is in it as it opens; null while there is none. */
  const [form, setForm] = useState<{ id: string; given: string } | null>(null)
  const { sandbox, searches } = useSandbox()
  const query = useRead('listScenarios', ...searches)
  const runPanel = useRef<HTMLDivElement>(null)
  const runs = useScenarioRuns((runId) => {
    void setParams({ run: runId, case: null })
    runPanel.current?.scrollIntoView({ block: 'nearest' })
  })
  /** Opens the form with a file, or closes it; what a run said of another file goes. */
  function openForm(given: string | null) {
    runs.forgetFile()
    setForm(given === null ? null : { id: crypto.randomUUID(), given })
  }

  const scenarios = query.data?.scenarios ?? []
  const recording = query.data?.recording ?? null
  const shown = scenarios.filter(({ tags }) => params.tag === null || tags.includes(params.tag))
  const newestRuns = query.data?.runs ?? []
  const runId = params.run ?? newestRuns[0]?.id ?? null
  const runAll = params.tag === null ? 'Run all scenarios' : `Run ${shown.length} scenarios`

  return (
    <LabFrame
      actions={
        <>
          {(recording?.isRecording !== true || sandbox !== null) && (
            <Button
              icon={<CircleDot />}
              unavailable={sandbox === null ? undefined : 'Only the shared sandbox is recorded.'}
              onClick={() => void runs.record(true)}
            >
              Record
            </Button>
          )}
          <Button icon={<FileCode />} aria-expanded={form !== null} onClick={() => openForm(form === null ? '' : null)}>
            Run your own file
          </Button>
          <Button
            variant="primary"
            icon={<Play />}
            isPending={runs.isPending}
            onClick={() => void runs.start({ names: shown.map(({ name }) => name) })}
          >
            {runAll}
          </Button>
        </>
      }
    >
      {runs.problem !== null && (
        <Callout tone="bad" title="Not started." isAlert>
          {runs.problem}
        </Callout>
      )}
      {recording && sandbox === null && (
        <RecordingNote recording={recording} onStop={() => void runs.record(false)} onOpen={openForm} />
      )}
      {form && <ScenarioFileForm key={form.id} given={form.given} runs={runs} />}
      {runs.question && <SharedSandboxQuestion key={runs.question.operationId} {...runs.question} />}
      <WhenRead query={query} what="The scenarios" blocks={['h-64', 'h-96']} className="xl:grid-cols-2">
        {() => (
          <div className="grid min-w-0 items-start gap-5 xl:grid-cols-[minmax(0,5fr)_minmax(0,6fr)]">
            <div
              ref={runPanel}
              className="min-w-0 scroll-mt-16 xl:sticky xl:top-16 xl:max-h-[calc(100dvh-5rem)] xl:overflow-y-auto"
            >
              <ScenarioRunPanel
                runId={runId}
                position={params.case}
                runs={newestRuns}
                onRun={(id) => void setParams({ run: id, case: null })}
                onCase={(position) => void setParams({ case: position })}
                onStop={(id) => void runs.stop(id)}
                onEnded={() => void runs.refresh()}
              />
            </div>
            <ScenarioList
              scenarios={scenarios}
              tag={params.tag}
              onTag={(tag) => void setParams({ tag })}
              isPending={runs.isPending}
              onRun={({ name }, variables) => void runs.start({ names: [name], variables })}
            />
          </div>
        )}
      </WhenRead>
    </LabFrame>
  )
}

const questions = {
  'moves-clock': {
    title: 'Move the shared sandbox’s clock?',
    verb: 'move',
    confirmationLevel: 'light',
    what: 'the clock that everybody here shares: what waits for a later time happens now. The clock never goes back. A sandbox of your own has its own clock.',
  },
  'replaces-contents': {
    title: 'Replace everything in the shared sandbox?',
    verb: 'replace',
    confirmationLevel: 'moderate',
    what: 'what everybody here shares: records, webhooks and faults are replaced, and the clock is set. A sandbox of your own has its own contents.',
  },
} as const

/** In the shared sandbox a scenario that moves the clock or replaces the contents does so for everybody. */
function SharedSandboxQuestion({
  kind,
  titles,
  total,
  run,
  isOpen,
  onClose,
}: SharedQuestion & { isOpen: boolean; onClose: () => void }) {
  const { title, verb, confirmationLevel, what } = questions[kind]
  const subject = titles.length === 1 ? `“${titles[0]}” ${verb}s` : `${titles.length} of the ${total} scenarios ${verb}`
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      confirmationLevel={confirmationLevel}
      title={title}
      consequence={`${subject} ${what}`}
      confirmLabel={total === 1 ? 'Run scenario' : `Run ${total} scenarios`}
      cancelLabel="Don’t run"
      onConfirm={() => {
        onClose()
        run()
      }}
    />
  )
}

/** The current or last recording: the person's own operations, simulations and sandbox controls. */
function RecordingNote({
  recording: { isRecording, startedAt, steps },
  onStop,
  onOpen,
}: {
  recording: Recording
  onStop: () => void
  /** Opens the recorded scenario as a file that can be changed and run. */
  onOpen: (yaml: string) => void
}) {
  const environment = useEnvironment()
  const url = readUrl('recordedYaml', environment, [])
  const opening = useMutation({
    mutationFn: async () => (await readFile(url, AbortSignal.timeout(30_000))).content.text(),
    onSuccess: onOpen,
  })
  if (!isRecording && steps === 0) return null
  return (
    <Callout
      tone={isRecording ? 'info' : 'neutral'}
      title={isRecording ? 'Recording.' : 'Last recording.'}
      actions={
        <>
          {steps > 0 && (
            <a href={url} download="recorded.yaml" className={buttonStyle({ size: 'small' })}>
              Download YAML
            </a>
          )}
          {steps > 0 && !isRecording && (
            <Button size="small" isPending={opening.isPending} onClick={() => opening.mutate()}>
              Open to run
            </Button>
          )}
          {isRecording && (
            <Button size="small" onClick={onStop}>
              Stop recording
            </Button>
          )}
        </>
      }
    >
      {isRecording && 'Use the console; each change you make becomes a step. '}
      {formatCount(steps, 'step')} since <Time instant={startedAt} format="time-seconds" />.
      {opening.error && ` ${opening.error.message}`}
    </Callout>
  )
}
