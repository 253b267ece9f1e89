import 'server-only'
import { AppError } from '#lib/shared/app-error.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { builtInControl } from './control-plane.ts'
import type { Lab } from './types.ts'

/**
 * The means by which an environment simulates: the one switch of the QA tools. Pages and the frame ask it, and the gate for every read and
 * action; who may use them is the permission `sandbox.simulate`.
 */
export function findLab(environment: Environment): Lab {
  if (environment !== 'sandbox') return null
  return builtInControl(environment) ? 'built-in' : 'interface'
}

/** Throws `LAB_NOT_FOUND` where the environment simulates nothing, or has no control plane and `built-in` is needed. */
export function requireLab(environment: Environment, needed: NonNullable<Lab>): void {
  const lab = findLab(environment)
  if (lab === null || (needed === 'built-in' && lab !== 'built-in'))
    throw new AppError('LAB_NOT_FOUND', 'This environment has no QA lab.')
}
