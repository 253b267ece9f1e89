import type { Step } from './schema.ts'

/** The steps of a scenario or fragment, with the fragments that they use. */
type Steps = {
  steps: readonly Step[]
  finally?: readonly Step[] | undefined
  fragments: ReadonlyMap<string, Steps>
}

/** Whether any step fits: of a file, of its repetitions and of its fragments, those of `finally` included. */
function someStep({ steps, finally: last = [], fragments }: Steps, fits: (step: Step) => boolean): boolean {
  return [...steps, ...last].some((step) => {
    if (fits(step)) return true
    if ('repeat' in step) return someStep({ steps: step.steps, fragments }, fits)
    const used = 'use' in step ? fragments.get(step.use) : undefined
    return used !== undefined && someStep(used, fits)
  })
}

/** Whether a scenario moves the sandbox clock: in a shared sandbox it does so for everybody. */
export function movesClock(scenario: Steps): boolean {
  return someStep(scenario, (step) => 'control' in step && step.control === 'POST /clock')
}

/** The calls that replace everything in a sandbox: its records, webhooks and faults, and its clock. */
export const replacingCalls: readonly string[] = ['POST /reset', 'POST /snapshots/restore']

/** Whether a scenario replaces everything in its sandbox: in a shared sandbox also what others have there. */
export function replacesContents(scenario: Steps): boolean {
  return someStep(scenario, (step) => 'control' in step && replacingCalls.includes(step.control))
}

/** Whether any step waits for deliveries, or needs the webhook. */
export function needsReceiver(scenario: Steps): boolean {
  return someStep(
    scenario,
    (step) => 'event' in step || 'deliveries' in step || 'receiver' in step || usesWebhook(step),
  )
}

/** Whether a step needs the id or the URL of the webhook. */
export function usesWebhook(step: Step): boolean {
  return JSON.stringify(step).includes('receiver.')
}

/** The variables that a scenario or a fragment has saved when its steps have run. */
export function savedNames({ steps, fragments }: Steps): string[] {
  return steps.flatMap((step) => {
    if ('repeat' in step) return savedNames({ steps: step.steps, fragments })
    if (!('use' in step)) return Object.keys(('save' in step ? step.save : undefined) ?? {})
    const used = fragments.get(step.use)
    return used ? savedNames(used) : []
  })
}
