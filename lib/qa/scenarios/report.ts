import type { CreatedRecord } from './calls.ts'
import type { Difference } from './compare.ts'

/** `skipped`: the service can't do it. `not run`: an earlier step failed. */
export type StepOutcome = 'passed' | 'failed' | 'skipped' | 'not run' | 'running'

export type StepReport = {
  /** The step's name. */
  name: string
  /** The fragment whose step it is; null for the scenario's own. */
  fragment: string | null
  /** Its line in the file, or in the fragment's. */
  line: number | null
  outcome: StepOutcome
  durationMs: number
  /** Why it was skipped or could not be done; null where it passed or where the differences say it. */
  reason: string | null
  request: { method: string; path: string; body: string | null } | null
  response: { status: number | null; requestId: string | null; body: string | null } | null
  differences: Difference[]
}

export type CaseOutcome = 'passed' | 'failed' | 'skipped' | 'running' | 'stopped'

/** One case of a scenario. */
export type CaseReport = {
  file: string
  title: string
  /** The values of the matrix; null where there is none. */
  label: string | null
  /** The value of `${run}`: part of the external ids that the run made. */
  run: string
  outcome: CaseOutcome
  startedAt: string
  durationMs: number
  steps: StepReport[]
  created: CreatedRecord[]
}

/** The report of a step before anything of it has happened. */
export function newStep(name: string, { fragment, line }: Pick<StepReport, 'fragment' | 'line'>): StepReport {
  const nothingYet = { durationMs: 0, reason: null, request: null, response: null, differences: [] }
  return { name, fragment, line, outcome: 'running', ...nothingYet }
}

/** The report of a run, as `--json` prints it. */
export type RunReport = {
  outcome: 'passed' | 'failed' | 'stopped'
  startedAt: string
  durationMs: number
  counts: { passed: number; failed: number; skipped: number }
  cases: CaseReport[]
}

/** The report of the cases that have ended. A run without a failed case passed, also where cases were skipped. */
export function runReport(cases: CaseReport[], startedAt: Date, durationMs: number, isStopped = false): RunReport {
  const count = (outcome: CaseOutcome) => cases.filter((one) => one.outcome === outcome).length
  const counts = { passed: count('passed'), failed: count('failed'), skipped: count('skipped') }
  const outcome = isStopped ? 'stopped' : counts.failed > 0 ? 'failed' : 'passed'
  return { outcome, startedAt: startedAt.toISOString(), durationMs: Math.round(durationMs), counts, cases }
}

function caseTitle({ title, label }: Pick<CaseReport, 'title' | 'label'>): string {
  return label === null ? title : `${title} (${label})`
}

const marks: Record<StepOutcome, string> = { passed: '✓', failed: '✗', skipped: '–', 'not run': '·', running: '…' }

/** A step as lines of text: its outcome, its request, and what was expected and found. */
function stepText(step: StepReport): string {
  const { name, fragment, line, outcome, durationMs, reason, request, response, differences } = step
  const place = outcome === 'failed' && line !== null ? `${fragment ? `${fragment} ` : ''}line ${line}` : null
  const exchange = request
    ? `${request.method} ${request.path} ${response?.status ?? (response ? 'no response' : '')}`
    : null
  const time = outcome === 'not run' ? 'not run' : `${durationMs} ms`
  const head = [`${marks[outcome]} ${name}`, place, outcome === 'failed' ? exchange : null, time]
    .filter(Boolean)
    .join('  ')
  const details = [
    ...(reason === null ? [] : [reason]),
    ...differences.flatMap(({ path, expected, found }) => [
      `${path}: expected ${expected}`,
      `${' '.repeat(path.length)}     found ${found}`,
    ]),
    ...(outcome === 'failed' && response?.body ? [`response ${shortened(response.body)}`] : []),
    ...(outcome === 'failed' && response?.requestId ? [`request id ${response.requestId}`] : []),
  ]
  return [head, ...details.map((detail) => `    ${detail}`)].join('\n')
}

function shortened(text: string): string {
  return text.length > 500 ? `${text.slice(0, 500)}…` : text
}

/** A case as lines of text: every step where it didn't pass, else one line; the ids that it created. */
export function caseText(report: CaseReport, isVerbose = false): string {
  const { outcome, durationMs, steps, created } = report
  const mark = { passed: '✓', failed: '✗', skipped: '–', running: '…', stopped: '■' }[outcome]
  const head = `${mark} ${caseTitle(report)}  ${durationMs} ms`
  if (outcome === 'passed' && !isVerbose) return head
  const shown =
    outcome === 'skipped' && !isVerbose ? steps.filter(({ outcome }) => outcome === 'skipped').slice(0, 1) : steps
  const ids = created.map(({ kind, id }) => `${kind} ${id}`)
  const lines = [...shown.map(stepText), ...(ids.length > 0 ? [`created: ${ids.join(', ')}`] : [])]
  return [head, ...lines.map((line) => line.replaceAll(/^/gm, '  '))].join('\n')
}

/** JUnit XML: a test suite for each file, a test case for each case. */
export function junitXml({ cases, durationMs, startedAt }: RunReport): string {
  const files = [...new Set(cases.map(({ file }) => file))]
  const suites = files.map((file) => {
    const ofFile = cases.filter((one) => one.file === file)
    const attributes = {
      name: file,
      ...countOutcomes(ofFile),
      time: seconds(ofFile.reduce((sum, one) => sum + one.durationMs, 0)),
      timestamp: ofFile[0]?.startedAt ?? startedAt,
    }
    return `  <testsuite${attributesText(attributes)}>\n${ofFile.map(testCaseXml).join('\n')}\n  </testsuite>`
  })
  const attributes = { name: 'carddesk scenarios', ...countOutcomes(cases), time: seconds(durationMs) }
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${attributesText(attributes)}>\n${suites.join('\n')}\n</testsuites>\n`
}

function countOutcomes(cases: readonly CaseReport[]) {
  const count = (...outcomes: CaseOutcome[]) => cases.filter(({ outcome }) => outcomes.includes(outcome)).length
  return { tests: cases.length, failures: count('failed'), errors: 0, skipped: count('skipped', 'stopped', 'running') }
}

function testCaseXml(report: CaseReport): string {
  const { file, outcome, durationMs, steps, created } = report
  const attributes = { name: caseTitle(report), classname: file.replace(/\.ya?ml$/, ''), time: seconds(durationMs) }
  const failed = steps.find((step) => step.outcome === 'failed')
  const skipped = steps.find((step) => step.outcome === 'skipped')
  const properties = created.map(({ kind, id }) => `<property${attributesText({ name: kind, value: id })}/>`).join('')
  const parts = [
    properties && `<properties>${properties}</properties>`,
    outcome === 'failed' && failed
      ? `<failure${attributesText({ message: `${failed.name}: ${failureText(failed) ?? 'failed'}` })}>${escaped(steps.map(stepText).join('\n'))}</failure>`
      : '',
    outcome === 'skipped' ? `<skipped${attributesText({ message: skipped?.reason ?? '' })}/>` : '',
    outcome === 'stopped' || outcome === 'running'
      ? `<skipped${attributesText({ message: 'The run was stopped.' })}/>`
      : '',
  ]
  return `    <testcase${attributesText(attributes)}>${parts.filter(Boolean).join('')}</testcase>`
}

/** Why a step failed or was skipped, in a line: its first difference, else its reason; null where it passed. */
export function failureText({
  reason,
  differences: [first],
}: Pick<StepReport, 'reason' | 'differences'>): string | null {
  return first ? `${first.path} expected ${first.expected}, found ${first.found}` : reason
}

function attributesText(attributes: Record<string, string | number>): string {
  return Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${escaped(String(value))}"`)
    .join('')
}

function seconds(durationMs: number): string {
  return (durationMs / 1000).toFixed(3)
}

/** XML text; characters that XML 1.0 can't hold are left out. */
function escaped(text: string): string {
  return text
    .replaceAll(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
