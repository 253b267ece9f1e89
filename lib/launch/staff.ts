import nextEnv from '@next/env'
import { root } from './build.ts'
import { runStaffCommand } from './staff-command.ts'

/** `npm run staff -- …`: who may use the console, and with which role. */
nextEnv.loadEnvConfig(root, false, { info: () => undefined, error: console.error })
try {
  console.log(await runStaffCommand(process.argv.slice(2), process.env))
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}
