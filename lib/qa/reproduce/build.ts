import 'server-only'
import { builtInControl } from '#lib/environments/control-plane.ts'
import { action } from '#lib/gate/action.ts'
import { failureText } from '#lib/qa/scenarios/report.ts'
import { build } from '#lib/qa/scenarios/reproduce/build.ts'
import { makeSandbox, type OwnSandbox } from '#lib/qa/scenarios/sandbox.ts'
import { Unreachable, type ScenarioService } from '#lib/qa/scenarios/target.ts'
import { consoleSettings } from '#lib/settings/console-settings.ts'
import { AppError } from '#lib/shared/app-error.ts'
import { logFailure } from '#lib/shared/log.ts'
import { auditReproduction, reproduced, ReproduceInput } from './read.ts'
import type { BuiltReproduction } from './types.ts'

/** Long enough to work on a case for half a day. */
const ttl = 'PT4H'

/**
 * Makes a sandbox of its own that holds the reproduction of a record of either environment, with its clock stopped. `LAB_NOT_FOUND` where
 * the console has no built-in sandbox.
 */
export const buildReproduction = action('buildReproduction', {
  input: ReproduceInput,
  run: async (given, { staff: by }): Promise<BuiltReproduction> => {
    const connection = sandboxConnection()
    const { original, reproduction } = await reproduced(given)
    const sandbox = await makeOwnSandbox(connection)
    try {
      const { report, id, differences } = await build(original, reproduction, sandbox.target)
      await auditReproduction(given, by, 'case.build')
      const failed = report.steps.find(({ outcome }) => outcome === 'failed' || outcome === 'skipped')
      return {
        kind: 'built',
        passed: report.steps.filter(({ outcome }) => outcome === 'passed').length,
        steps: report.steps.length,
        failure: failed ? `${failed.name}: ${failureText(failed) ?? 'it failed'}` : null,
        differences,
        recordId: id,
        sandbox: {
          id: sandbox.id,
          baseUrl: sandbox.baseUrl,
          controlUrl: sandbox.controlUrl,
          expiresAt: sandbox.expiresAt,
        },
      }
    } catch (error) {
      await sandbox.remove()
      if (error instanceof Unreachable) throw new AppError('SERVICE_UNREACHABLE', 'The sandbox stopped responding.')
      throw error
    } finally {
      await sandbox.close()
    }
  },
})

function sandboxConnection(): ScenarioService {
  const control = builtInControl('sandbox')
  const connection = consoleSettings().services.sandbox
  if (!control || !connection) throw new AppError('LAB_NOT_FOUND', 'This console has no sandbox of its own.')
  return { ...connection, controlUrl: control.url, webhookKey: null }
}

async function makeOwnSandbox(connection: ScenarioService): Promise<OwnSandbox> {
  try {
    return await makeSandbox(connection, ttl)
  } catch (error) {
    logFailure(error, { while: 'making a sandbox for a reproduction' })
    throw new AppError('SERVICE_UNREACHABLE', error instanceof Error ? error.message : 'The service makes no sandbox.')
  }
}
