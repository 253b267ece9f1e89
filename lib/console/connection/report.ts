import type { Environment } from '#lib/shared/routes.ts'
import type { CheckResult, Proposal } from './shapes.ts'

/** 0: usable and no contradictions. 1: differences. 2: nothing could be compared. */
export const exitCodes: Record<CheckResult, 0 | 1 | 2> = { usable: 0, differences: 1, 'nothing compared': 2 }

/** The part of `carddesk.service.json` that the proposals make, without those that a person has to fill in. */
export function proposedPart(environment: Environment, proposals: readonly Proposal[]): object | null {
  const known = proposals.filter(({ value }) => value !== null)
  if (known.length === 0) return null
  const part: Record<string, unknown> = {}
  for (const { at, value } of known) {
    let place = part
    for (const key of at.slice(0, -1)) place = (place[key] ??= {}) as Record<string, unknown>
    const last = at.at(-1)
    if (last !== undefined) place[last] = value
  }
  return { [environment]: part }
}
