import type { CheckReport, EndpointCheck } from './shapes.ts'

/** What the command line shows beside the report. */
type CheckSurroundings = { inboxUrl: string; webhookKey: string; namesFile: string }

/** The report as a table for people; `--json` prints the report itself. */
export function reportText(report: CheckReport, { inboxUrl, webhookKey, namesFile }: CheckSurroundings): string {
  const { rateLimit, decisions, proposals, names } = report
  const facts: [string, string][] = [
    ['Service', report.baseUrl],
    ['Access key', report.accessKey],
    ['Environment', report.environment],
    ['Clock', clockText(report.clockOffsetMs)],
    ['Rate limit', rateLimit ? `${rateLimit.limit} per minute and endpoint` : 'not reported by the service'],
    ['Webhook key', webhookKey],
    ['Inbox URL', inboxUrl],
    ['Last delivery', 'shown on the Connection page of the console'],
  ]
  const of = (verdict: string) => decisions.filter((decision) => decision.verdict === verdict)
  const contradicted = of('contradicted')
  const open = proposals.filter(({ value }) => value === null)
  const sections = [
    columns(facts),
    columns([['ENDPOINT', 'VERDICT', 'STATUS', 'MS', 'RECORDS'], ...report.endpoints.map(rowOf)]),
    ...report.endpoints.filter(hasFindings).map(findingsOf),
    `Assumptions: ${of('confirmed').length} confirmed, ${contradicted.length} contradicted, ${of('open').length} open`,
    ...contradicted.map(({ id, decision, note }) => `  contradicted  ${id}: ${decision}\n                ${note}`),
    names ? `Add to ${namesFile}:\n${JSON.stringify(names, null, 2)}` : '',
    open.length > 0
      ? `Fill in by hand in ${namesFile}:\n${open.map(({ at, reason }) => `  ${[report.environment, ...at].join('.')}  ${reason}`).join('\n')}`
      : '',
    report.diagnosis ?? '',
    `Result: ${results[report.result]}`,
  ]
  return sections.filter((section) => section !== '').join('\n\n')
}

const results: Record<CheckReport['result'], string> = {
  usable: 'usable, no contradictions',
  differences: 'differences',
  'nothing compared': 'nothing could be compared',
}

function clockText(offsetMs: number | null): string {
  if (offsetMs === null) return 'unknown: the service sends no Date header'
  return `${(Math.abs(offsetMs) / 1000).toFixed(1)} s ${offsetMs < 0 ? 'behind' : 'ahead of'} this machine`
}

function rowOf({ endpoint, verdict, status, durationMs, records }: EndpointCheck): string[] {
  return [endpoint, verdict, String(status ?? '–'), String(durationMs ?? '–'), String(records)]
}

function hasFindings({ verdict, differences, unknownFields, reason }: EndpointCheck): boolean {
  return verdict !== 'matches' || differences.length > 0 || unknownFields.length > 0 || reason !== null
}

function findingsOf({ endpoint, reason, differences, unknownFields }: EndpointCheck): string {
  return [
    endpoint,
    ...(reason === null ? [] : [`  ${reason}`]),
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
