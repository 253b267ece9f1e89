import { shapeOptions } from '#lib/contract/sandbox.ts'
import type { FaultEndpoint } from '#lib/qa/lab/types.ts'
import type { ReadResult } from '#lib/queries/reads.ts'
import type { FormValues, Given, Simulator, SimulatorField } from './simulators.ts'

const everyEndpoint = '*'

const effects = [
  { value: 'status', label: 'Error status' },
  { value: 'dropped', label: 'Dropped connection' },
  { value: 'lost', label: 'Lost response: work done, then 500' },
  { value: 'delay', label: 'Delay only' },
  { value: 'shape', label: 'Changed response' },
]

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

const hasEffect =
  (...names: string[]) =>
  ({ effect = '' }: FormValues) =>
    names.includes(effect)

/** An option of a changed response, shown for the kinds that have it. */
function shapeOption(option: string, label: string, field: Partial<SimulatorField> = {}): SimulatorField {
  return {
    name: `shape.${option}`,
    label,
    isMono: true,
    ...field,
    isShown: (values) =>
      values.effect === 'shape' &&
      (shapeOptions[values['shape.kind'] ?? '']?.includes(option) ?? false) &&
      field.isShown?.(values) !== false,
  }
}

const isUnknownValue = (values: FormValues) => values['shape.kind'] === 'unknown-enum'
const delay: SimulatorField = { name: 'delayMs', label: 'Delay', as: 'number', suffix: 'ms' }

/** The form that arms a fault for an endpoint of the contract, in the form of a simulator. */
export function faultForm(endpoints: readonly FaultEndpoint[]): Simulator {
  return {
    action: 'arm-fault',
    label: 'Arm a fault',
    submit: 'Arm fault',
    done: 'Fault armed.',
    fields: [
      {
        name: 'path',
        label: 'Endpoint',
        options: [{ value: everyEndpoint, label: 'Every endpoint' }, ...endpointOptions(endpoints)],
        initial: everyEndpoint,
      },
      { name: 'effect', label: 'Effect', options: effects, initial: 'status' },
      {
        name: 'status',
        label: 'Status',
        as: 'number',
        initial: '500',
        hint: '400 to 599',
        isShown: hasEffect('status'),
      },
      { name: 'code', label: 'Error code', isMono: true, isOptional: true, isShown: hasEffect('status') },
      {
        name: 'shape.kind',
        label: 'Change',
        options: Object.keys(shapeOptions).map((value) => ({ value, label: shapeLabel(value) })),
        initial: 'drop',
        isShown: hasEffect('shape'),
      },
      shapeOption('at', 'Field', {
        hint: 'JSON path, such as cards[*].status',
        suggestions: ({ path = everyEndpoint }) => listFields(endpoints, path),
      }),
      shapeOption('value', 'Value', { isShown: isUnknownValue }),
      shapeOption('value', 'Value', { as: 'json', hint: 'JSON', isShown: (values) => !isUnknownValue(values) }),
      shapeOption('to', 'New name'),
      shapeOption('unit', 'Unit', { hint: 'ms or s' }),
      shapeOption('length', 'Length', { as: 'number' }),
      shapeOption('status', 'Status', { as: 'number' }),
      shapeOption('location', 'Location'),
      shapeOption('error', 'Error'),
      {
        name: 'times',
        label: 'Times',
        as: 'number',
        options: [
          ...['1', '2', '3', '5', '10', '100'].map((value) => ({ value, label: value })),
          { value: 'always', label: 'Until removed' },
        ],
        initial: '1',
      },
      { ...delay, isShown: hasEffect('delay') },
      { ...delay, isOptional: true, isShown: (values) => values.effect !== 'delay' },
      {
        name: 'after',
        label: 'Do the work first',
        as: 'flag',
        hint: 'The effect happens, the response is lost.',
        isShown: hasEffect('status', 'dropped'),
      },
      {
        name: 'background',
        label: 'Count background requests',
        as: 'flag',
        hint: 'Carddesk’s own polls use it up, too.',
      },
    ],
    toBody: toFault,
  }
}

/** The control plane's fields for each effect. */
const ofEffect: Record<string, Given> = { dropped: { status: 0 }, lost: { status: 500, after: true } }

/** The body of POST /faults from what the form holds: an endpoint is a method and a path, an effect a status. */
function toFault({ path: endpoint, effect, ...given }: Given): Given {
  const [first = '', second] = String(endpoint).split(' ')
  return {
    ...given,
    ...(second === undefined ? { path: first } : { method: first, path: second }),
    ...ofEffect[String(effect)],
  }
}

function endpointOptions(endpoints: readonly FaultEndpoint[]) {
  return endpoints
    .map(({ method, path }) => ({ value: `${method} ${path}`, label: `${method} ${path}` }))
    .toSorted((one, other) =>
      one.label.slice(one.label.indexOf('/')).localeCompare(other.label.slice(other.label.indexOf('/'))),
    )
}

function listFields(endpoints: readonly FaultEndpoint[], chosen: string): string[] {
  const meant = endpoints.filter(({ method, path }) => chosen === everyEndpoint || `${method} ${path}` === chosen)
  return [...new Set(meant.flatMap(({ fields }) => fields))].slice(0, 500)
}

/** The label of a kind of changed response; an unknown kind is shown as it is. */
function shapeLabel(kind: string): string {
  return kinds[kind] ?? kind
}

type Fault = ReadResult<'readLabState'>['faults'][number]

/** The effect of a fault: `500 after the work`, `Dropped connection`, `Null in its place: cards[*].status`. */
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
