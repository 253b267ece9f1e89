import nextEnv from '@next/env'
import { root } from './build.ts'

/** Reads the file `.env` as the server does, without a line on standard output. */
export function loadEnv(): void {
  nextEnv.loadEnvConfig(root, false, { info: () => undefined, error: console.error })
}
