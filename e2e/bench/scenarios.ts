import { execFileSync } from 'node:child_process'
import type { RunReport } from '#lib/qa/scenarios/report.ts'
import { nodeArguments } from '#lib/shared/testing/npm-script.ts'
import type { Desk } from './desk.ts'
import { time, type Figure } from './figure.ts'

/** All built-in scenarios, one after the other, by the command that a pipeline runs; in short those of one tag. */
export async function measureScenarios({ extent, server }: Desk): Promise<Figure[]> {
  const chosen = extent === 'whole' ? ['--all'] : ['--tag', 'references']
  const output = execFileSync(process.execPath, [...nodeArguments('scenario'), ...chosen, '--json'], {
    env: { ...process.env, DATA_DIR: (await server()).dataDir },
    maxBuffer: 256 * 1024 * 1024,
  })
  const { cases, counts, durationMs } = JSON.parse(output.toString()) as RunReport
  if (counts.passed !== cases.length)
    throw new Error(`${counts.failed} scenarios failed, ${counts.skipped} were skipped`)
  return [time(`all built-in scenarios, ${cases.length} cases`, durationMs, 60_000)]
}
