import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { junitXml, type RunReport } from '#lib/qa/scenarios/report.ts'

/** Writes the report to the file of `--junit`, prints it as JSON or its summary, and returns the exit code of the command. */
export function endWithReport(
  report: RunReport,
  { junit, json }: { junit?: string | undefined; json: boolean },
  summary: (counts: RunReport['counts']) => string,
): number {
  if (junit) {
    mkdirSync(path.dirname(junit), { recursive: true })
    writeFileSync(junit, junitXml(report))
  }
  console.log(json ? JSON.stringify(report, null, 2) : `\n${summary(report.counts)}`)
  return report.outcome === 'passed' ? 0 : 1
}
