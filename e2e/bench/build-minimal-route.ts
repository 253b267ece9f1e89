import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'

/** The folder of a Next application whose only route handler does the least that a read of the console can do. */
export const minimalRoute = path.join(import.meta.dirname, 'minimal-route')

/** Builds it by webpack: Turbopack takes the console's `instrumentation.ts` and `proxy.ts`, in a folder above, for its own. */
export async function buildMinimalRoute(): Promise<void> {
  const env = { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' } as const
  await promisify(execFile)(process.execPath, ['node_modules/next/dist/bin/next', 'build', '--webpack', minimalRoute], {
    env,
  })
}
