import type { Tone } from '#components/ui/tone.ts'
import type { ScenarioCaseOutcome, ScenarioRunState, ScenarioRunSummary, StepOutcome } from '#lib/console/lab/shapes.ts'

type Label = { label: string; tone: Tone }

export const runLabels: Record<ScenarioRunState, Label> = {
  running: { label: 'Running', tone: 'info' },
  passed: { label: 'Passed', tone: 'good' },
  failed: { label: 'Failed', tone: 'bad' },
  stopped: { label: 'Stopped', tone: 'warn' },
  interrupted: { label: 'Interrupted', tone: 'warn' },
}

export const outcomeLabels: Record<ScenarioCaseOutcome | StepOutcome, Label> = {
  waiting: { label: 'Waiting', tone: 'neutral' },
  running: { label: 'Running', tone: 'info' },
  passed: { label: 'Passed', tone: 'good' },
  failed: { label: 'Failed', tone: 'bad' },
  skipped: { label: 'Skipped', tone: 'warn' },
  stopped: { label: 'Stopped', tone: 'warn' },
  'not run': { label: 'Not run', tone: 'neutral' },
}

/** `12 of 86 done, 1 failed`. */
export function progressText({ total, passed, failed, skipped }: ScenarioRunSummary['counts']): string {
  const done = `${passed + failed + skipped} of ${total} done`
  return [done, failed > 0 && `${failed} failed`, skipped > 0 && `${skipped} skipped`].filter(Boolean).join(', ')
}

/** `420 ms`, `3.2 s`. */
export function stepTime(durationMs: number): string {
  return durationMs < 1000 ? `${durationMs} ms` : `${(durationMs / 1000).toFixed(1)} s`
}
