import type { ReadResult } from '#lib/queries/reads.ts'

type Fault = ReadResult<'readLabState'>['faults'][number]

const kinds: Record<string, string> = {
  drop: 'Drop field',
  null: 'Null in its place',
  value: 'Another value',
  string: 'As text',
  number: 'As a number',
  rename: 'Rename field',
  'unknown-enum': 'Unknown value',
  'upper-case': 'Upper case',
  epoch: 'Date as a number',
  'list-key': 'List under another key',
  'empty-token': 'Empty page token',
  'huge-token': 'Huge page token',
  'repeat-token': 'Page token that repeats',
  html: 'HTML page',
  redirect: 'Redirect',
  'no-content': '204 without content',
  body: 'Another body',
  truncated: 'Truncated JSON',
  'no-effect': 'Success without effect',
  unsuccessful: 'success: false',
}

/** What a kind of shape does to a response; a kind that has no label is shown as it is. */
export function shapeLabel(kind: string): string {
  return kinds[kind] ?? kind
}

/** What a fault does: `500 after the work`, `Dropped connection`, `Null in its place: cards[*].status`. */
export function effectText({ status, code, shape, after, delayMs }: Fault): string {
  const parts = [
    status === 0 ? 'Dropped connection' : status === undefined ? null : [status, code].filter(Boolean).join(' '),
    shape ? [shapeLabel(shape.kind), shape.at].filter(Boolean).join(': ') : null,
    status !== undefined && after ? 'after the work' : null,
    delayMs > 0 ? `${delayMs} ms late` : null,
  ]
  return parts.filter((part) => part !== null).join(', ')
}

export function timesText(times: Fault['times']): string {
  if (times === 'always') return 'Until removed'
  return times === 1 ? 'Once' : `${times} times`
}
