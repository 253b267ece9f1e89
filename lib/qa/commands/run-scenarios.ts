import { root } from '#lib/launch/build.ts'
import { loadEnv } from '#lib/launch/command.ts'
import { runCommand } from '#lib/launch/run-command.ts'
import type { ScenarioService } from '#lib/qa/scenarios/target.ts'
import { readServiceAccess, builtInAccess } from '#lib/settings/service-access.ts'
import { parseSettings, readPem } from '#lib/settings/settings.ts'
import { textIn } from '#lib/shared/json.ts'
import { runScenarios } from './scenario-command.ts'

/** `npm run scenario`: runs scenario files against the service of the settings, the built-in one by default. */

/** The service of the settings with `--env`, else the built-in one by its access file. */
function toConnection(environment: string | null): ScenarioService {
  if (environment !== null && environment !== 'sandbox') {
    throw new Error('--env must be sandbox: scenarios create and change records.')
  }
  loadEnv()
  const access = environment === null ? builtInAccess(process.env) : readServiceAccess(environment, process.env)
  if (access.controlUrl !== null) return { ...access, webhookKey: null }
  const { values, mistakes } = parseSettings(process.env, ['SERVICE_SANDBOX_WEBHOOK_PUBLIC_KEY'])
  if (mistakes.length > 0) throw new Error(mistakes.join('\n'))
  const webhookKey = values.SERVICE_SANDBOX_WEBHOOK_PUBLIC_KEY
  return { ...access, webhookKey: webhookKey ? readPem(webhookKey) : null }
}

await runCommand((args) =>
  runScenarios(args, {
    name: 'npm run scenario --',
    root,
    serviceOptions: ['env'],
    serviceUsage:
      '  --env sandbox      the service of the settings (.env); by default the built-in one, which has to run',
    connect: (options) => toConnection(textIn(options, 'env')),
  }),
)
