import { having, lacking, present } from '#lib/shared/provided.ts'
import type { Environment } from '#lib/shared/routes.ts'
import type { SigningKey } from './signing-key.ts'
import type { CheckResult, Proposal, CheckReport, EndpointCheck } from './types.ts'

/** 0: usable and no contradictions. 1: differences. 2: nothing could be compared. */
export const exitCodes: Record<CheckResult, 0 | 1 | 2> = { usable: 0, differences: 1, 'nothing compared': 2 }

/** The lines that a person has to fill in, the paths of missing endpoints, with what to enter as their value. */
export function partToFillIn(environment: Environment, proposals: readonly Proposal[]): object | null {
  const open = lacking(proposals, 'value')
  return proposedPart(
    environment,
    open.map((proposal) => ({ ...proposal, value: proposal.reason })),
  )
}

/** The part of `carddesk.service.json` that the proposals make, without those that a person has to fill in. */
export function proposedPart(environment: Environment, proposals: readonly Proposal[]): object | null {
  const known = having(proposals, 'value')
  if (known.length === 0) return null
  const part: Record<string, unknown> = {}
  for (const { at, value } of known) {
    let place = part
    for (const key of at.slice(0, -1)) place = (place[key] ??= {}) as Record<string, unknown>
    const last = at.at(-1)
    if (last !== undefined) place[last] = value
  }
  return { [environment]: part }
}

/** The facts that the command line adds to the report. */
type CheckSurroundings = { signingKey: SigningKey | null; inboxUrl: string; webhookKey: string; namesFile: string }

/** The report as a table for people; `--json` prints the report itself. */
export function reportText(
  report: CheckReport,
  { signingKey, inboxUrl, webhookKey, namesFile }: CheckSurroundings,
): string {
  const { rateLimit, decisions, names, namesToFillIn } = report
  const facts: [string, string][] = [
    ['Service', report.baseUrl],
    ['Access key', report.accessKey],
    ['Signing key', signingKey ? `RSA, ${signingKey.bits} bits` : 'none: the access key alone (HTTP Basic)'],
    ['Environment', report.environment],
    ['Release', report.release.title],
    ['Clock', clockText(report)],
    ['Rate limit', rateLimit ? `${rateLimit.limit} per minute and endpoint` : 'not reported by the service'],
    ['Webhook key', webhookKey],
    ['Inbox URL', inboxUrl],
    ['Last delivery', 'shown on the Connection page of the console'],
  ]
  const of = (verdict: string) => decisions.filter((decision) => decision.verdict === verdict)
  const contradicted = of('contradicted')
  const sections = [
    columns(facts),
    report.release.notes.join('\n'),
    columns([['ENDPOINT', 'VERDICT', 'STATUS', 'MS', 'RECORDS'], ...report.endpoints.map(toReportRow)]),
    ...report.endpoints.filter(hasFindings).map(formatFindings),
    `Assumptions: ${of('confirmed').length} confirmed, ${contradicted.length} contradicted, ${of('open').length} open`,
    ...contradicted.map(({ id, decision, note }) => `  contradicted  ${id}: ${decision}\n                ${note}`),
    names ? `Add to ${namesFile}:\n${JSON.stringify(names, null, 2)}` : '',
    namesToFillIn
      ? `These names can’t be guessed. Look them up in the service’s docs, and add to ${namesFile}:\n${JSON.stringify(namesToFillIn, null, 2)}`
      : '',
    report.diagnosis ?? '',
    signingKey?.advice ?? '',
    `Result: ${results[report.result]}`,
  ]
  return sections.filter((section) => section !== '').join('\n\n')
}

const results: Record<CheckReport['result'], string> = {
  usable: 'usable, no contradictions',
  differences: 'differences',
  'nothing compared': 'nothing could be compared',
}

function clockText({ clockOffsetMs: offsetMs, endpoints }: CheckReport): string {
  const hasResponse = having(endpoints, 'status').length > 0
  if (offsetMs === null) return hasResponse ? 'unknown: the service sends no Date header' : 'unknown: no response'
  return `${(Math.abs(offsetMs) / 1000).toFixed(1)} s ${offsetMs < 0 ? 'behind' : 'ahead of'} this machine`
}

function toReportRow({ endpoint, verdict, status, durationMs, records }: EndpointCheck): string[] {
  return [endpoint, verdict, String(status ?? '–'), String(durationMs ?? '–'), String(records)]
}

function hasFindings({ verdict, differences, unknownFields, reason }: EndpointCheck): boolean {
  return verdict !== 'matches' || differences.length > 0 || unknownFields.length > 0 || reason !== null
}

function formatFindings({ endpoint, reason, differences, unknownFields }: EndpointCheck): string {
  return [
    endpoint,
    ...present([reason]).map((text) => `  ${text}`),
    // The reason describes the response as a whole.
    ...differences
      .filter(({ path }) => path !== '')
      .map(({ path, expected, found }) => `  ${path}: expected ${expected}, found ${found}`),
    ...(unknownFields.length > 0 ? [`  Unknown fields: ${unknownFields.join(', ')}`] : []),
  ].join('\n')
}

/** Rows with aligned columns; the last column is not padded. */
function columns(rows: readonly (readonly string[])[]): string {
  const widths = rows.reduce<number[]>(
    (widest, row) => row.map((cell, at) => Math.max(widest[at] ?? 0, cell.length)),
    [],
  )
  return rows
    .map((row) => row.map((cell, at) => (at === row.length - 1 ? cell : cell.padEnd(widths[at] ?? 0))).join('  '))
    .join('\n')
}
