import type { Scenario } from './parse.ts'
import type { Step } from './schema.ts'

/** Whether a scenario moves the sandbox clock, itself or by a fragment: in a shared sandbox it does so for everybody. */
export function movesClock({ steps, finally: last = [], fragments }: Scenario): boolean {
  const moves = (step: Step): boolean => {
    if ('repeat' in step) return step.steps.some(moves)
    if ('use' in step) {
      const used = fragments.get(step.use)
      return used !== undefined && movesClock(used)
    }
    return 'control' in step && step.control === 'POST /clock'
  }
  return [...steps, ...last].some(moves)
}
