import nextEnv from '@next/env'
import { runAuditVerify } from './audit-verify-command.ts'
import { root } from './build.ts'

/** `npm run audit:verify -- …`: whether the audit log is whole. */
nextEnv.loadEnvConfig(root, false, { info: () => undefined, error: console.error })
try {
  const { text, exitCode } = await runAuditVerify(process.argv.slice(2), process.env)
  console.log(text)
  process.exitCode = exitCode
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 2
}
