import 'server-only'
import { z } from 'zod'
import { builtInControl, callControlPlane, type ControlPlane, ControlRefused } from '#lib/environments/control-plane.ts'
import { AppError } from '#lib/shared/app-error.ts'
import { logFailure } from '#lib/shared/log.ts'
import { parseInput } from '#lib/shared/parse.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { secondMs } from '#lib/shared/time.ts'

/** Which sandbox the lab acts on: one of its own by its id, else the one that everybody shares, which the console shows. */
export const SandboxId = z.string().regex(/^[0-9a-f]{16}$/, 'must be the id of a sandbox')
export type LabSearch = { sandbox?: string }

/** The sandbox that a read names; null for the shared one. Throws `INVALID_PARAMETERS`. */
export function sandboxIn(search: LabSearch = {}): string | null {
  return search.sandbox ? parseInput(SandboxId, search.sandbox) : null
}

/** The control plane of the lab's sandbox. Throws `LAB_NOT_FOUND` where the environment has no lab. */
export function requireControl(environment: Environment, sandbox: string | null = null): ControlPlane {
  const control = builtInControl(environment, sandbox)
  if (!control) throw new AppError('LAB_NOT_FOUND', 'This environment has no QA lab.')
  return control
}

/**
 * Reads from the control plane. Throws an `AppError` for people where it does not respond, or not as expected: `SANDBOX_NOT_FOUND`
 * where its sandbox has expired.
 */
export async function readControl<Schema extends z.ZodType>(
  control: ControlPlane,
  path: `/${string}`,
  schema: Schema,
  timeoutMs = 5 * secondMs,
): Promise<z.output<Schema>> {
  try {
    return schema.parse(await callControlPlane(control, { path, timeoutMs }))
  } catch (error) {
    if (isGone(control, error)) throw sandboxIsGone()
    logFailure(error, { while: `reading ${path} of the control plane` })
    const requestId = error instanceof ControlRefused ? error.requestId : null
    throw new AppError('SERVICE_UNREACHABLE', 'The sandbox isn’t responding.', requestId)
  }
}

/** Whether an error says that the sandbox of a control plane is no more. */
export function isGone({ url }: ControlPlane, error: unknown): boolean {
  return (
    url.includes('/sandboxes/') &&
    error instanceof ControlRefused &&
    error.code === 'NOT_FOUND' &&
    (error.reason?.startsWith('there is no sandbox') ?? false)
  )
}

export function sandboxIsGone(): AppError {
  return new AppError('SANDBOX_NOT_FOUND', 'This sandbox has expired or was deleted.')
}
