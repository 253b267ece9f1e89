'use client'

import { useId, useState, type FormEvent } from 'react'
import { useRead } from '#components/environment/use-environment.ts'
import { Checkbox } from '#components/form/checkbox.tsx'
import { SelectField } from '#components/form/select-field.tsx'
import { TextField } from '#components/form/text-field.tsx'
import { Button } from '#components/ui/button.tsx'
import type { ActionInput } from '#lib/actions/run-action.ts'
import { shapeOptions } from '#lib/contract/sandbox.ts'
import type { FaultEndpoint } from '#lib/qa/lab/types.ts'
import { type ReadResult } from '#lib/queries/reads.ts'
import { parseJson } from '#lib/shared/json.ts'
import { ProblemText, useLabAction } from './use-lab.tsx'

const everyEndpoint = '*'

const effects = [
  { value: 'status', label: 'Error status' },
  { value: 'dropped', label: 'Dropped connection' },
  { value: 'lost', label: 'Lost response: work done, then 500' },
  { value: 'delay', label: 'Delay only' },
  { value: 'shape', label: 'Changed response' },
]

type Values = Readonly<Record<string, string>>
type Given = ActionInput<'performLabAction'>['given']

const initial: Values = { endpoint: everyEndpoint, effect: 'status', status: '500', times: '1', kind: 'drop' }

/** The body of POST /faults from the form, without empty entries. */
export function faultOf(values: Values): Given {
  const { endpoint = everyEndpoint, effect, delayMs = '', times = '1', background, after } = values
  const [method, path] = endpoint === everyEndpoint ? [undefined, everyEndpoint] : endpoint.split(' ')
  const shared = {
    path: path ?? everyEndpoint,
    ...(method ? { method } : {}),
    times: times === 'always' ? 'always' : numberOr(times),
    ...(delayMs.trim() === '' ? {} : { delayMs: numberOr(delayMs) }),
    ...(background === 'on' ? { background: true } : {}),
  }
  if (effect === 'delay') return shared
  if (effect === 'dropped') return { ...shared, status: 0, after: after === 'on' }
  if (effect === 'lost') return { ...shared, status: 500, after: true }
  if (effect === 'shape') return { ...shared, shape: shapeOf(values) }
  const { status = '', code = '', message = '' } = values
  return {
    ...shared,
    status: numberOr(status),
    after: after === 'on',
    ...(code.trim() === '' ? {} : { code }),
    ...(message.trim() === '' ? {} : { message }),
  }
}

const numbers = new Set(['status', 'length'])

function shapeOf(values: Values): Given[string] {
  const kind = values.kind ?? 'drop'
  const options = (shapeOptions[kind] ?? []).flatMap((option): [string, Given[string]][] => {
    const text = values[`shape.${option}`] ?? ''
    if (text.trim() === '') return []
    if (option === 'value' && kind !== 'unknown-enum') return [[option, parseJson(text, text) as Given[string]]]
    return [[option, numbers.has(option) ? numberOr(text) : text]]
  })
  return { kind, ...Object.fromEntries(options) }
}

/** Parses a number. Returns any other text as it is, for the sandbox to refuse. */
function numberOr(text: string): number | string {
  return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text
}

/** Arms a fault for an endpoint of the contract. */
export function FaultForm() {
  const { data: endpoints } = useRead('readFaultEndpoints')
  const { perform, isPending, problem, result } = useLabAction()
  const [values, setValues] = useState(initial)
  const listId = useId()
  const wired = (name: string) => ({
    value: values[name] ?? '',
    onChange: (event: { target: { value: string } }) => setValues({ ...values, [name]: event.target.value }),
  })
  const checked = (name: string) => ({
    checked: values[name] === 'on',
    onChange: (event: { target: { checked: boolean } }) =>
      setValues({ ...values, [name]: event.target.checked ? 'on' : '' }),
  })
  const { effect, kind = 'drop' } = values
  const options = effect === 'shape' ? (shapeOptions[kind] ?? []) : []
  const errors = problem?.fields ?? {}
  const shown = ['path', 'status', 'times', 'delayMs', 'code', ...options.map((option) => `shape.${option}`)]
  const submit = (event: FormEvent) => {
    event.preventDefault()
    perform('arm-fault', faultOf(values))
  }
  return (
    <form className="grid gap-3" onSubmit={submit}>
      <div className="grid gap-3 @lg:grid-cols-2">
        <SelectField
          label="Endpoint"
          options={[{ value: everyEndpoint, label: 'Every endpoint' }, ...optionsOf(endpoints ?? [])]}
          error={errors.path}
          {...wired('endpoint')}
        />
        <SelectField label="Effect" options={effects} {...wired('effect')} />
        {effect === 'status' && (
          <>
            <TextField
              label="Status"
              inputMode="numeric"
              hint="400 to 599"
              error={errors.status}
              {...wired('status')}
            />
            <TextField label="Error code" isOptional isMono error={errors.code} {...wired('code')} />
          </>
        )}
        {effect === 'shape' && (
          <>
            <SelectField
              label="Change"
              options={Object.keys(shapeOptions).map((value) => ({ value, label: shapeLabel(value) }))}
              error={errors['shape.kind']}
              {...wired('kind')}
            />
            {options.map((option) => (
              <TextField
                key={option}
                label={optionLabels[option] ?? option}
                isMono
                {...(option === 'at' ? { list: listId } : {})}
                hint={optionHints[option]}
                error={errors[`shape.${option}`]}
                {...wired(`shape.${option}`)}
              />
            ))}
            <datalist id={listId}>
              {fieldsOf(endpoints ?? [], values.endpoint ?? everyEndpoint).map((path) => (
                <option key={path} value={path}>
                  {path}
                </option>
              ))}
            </datalist>
          </>
        )}
        <SelectField
          label="Times"
          options={[
            ...['1', '2', '3', '5', '10', '100'].map((value) => ({ value, label: value })),
            { value: 'always', label: 'Until removed' },
          ]}
          error={errors.times}
          {...wired('times')}
        />
        <TextField
          label="Delay"
          isOptional={effect !== 'delay'}
          suffix="ms"
          inputMode="numeric"
          error={errors.delayMs}
          {...wired('delayMs')}
        />
      </div>
      <div className="flex flex-wrap gap-x-5 gap-y-1">
        {(effect === 'status' || effect === 'dropped') && (
          <Checkbox label="Do the work first" hint="The effect happens, the response is lost." {...checked('after')} />
        )}
        <Checkbox
          label="Count background requests"
          hint="Carddesk’s own polls use it up, too."
          {...checked('background')}
        />
      </div>
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" variant="primary" isPending={isPending}>
          Arm fault
        </Button>
        <output className="text-soft">{result && !isPending ? 'Fault armed.' : ''}</output>
      </div>
      <ProblemText problem={problem} fields={shown} />
    </form>
  )
}

const optionLabels: Record<string, string> = {
  at: 'Field',
  value: 'Value',
  to: 'New name',
  unit: 'Unit',
  length: 'Length',
  status: 'Status',
  location: 'Location',
  error: 'Error',
}

const optionHints: Record<string, string> = {
  at: 'JSON path, such as cards[*].status',
  value: 'JSON',
  unit: 'ms or s',
}

function optionsOf(endpoints: readonly FaultEndpoint[]) {
  return endpoints
    .map(({ method, path }) => ({ value: `${method} ${path}`, label: `${method} ${path}` }))
    .toSorted((one, other) =>
      one.label.slice(one.label.indexOf('/')).localeCompare(other.label.slice(other.label.indexOf('/'))),
    )
}

function fieldsOf(endpoints: readonly FaultEndpoint[], chosen: string): string[] {
  const meant = endpoints.filter(({ method, path }) => chosen === everyEndpoint || `${method} ${path}` === chosen)
  return [...new Set(meant.flatMap(({ fields }) => fields))].slice(0, 500)
}

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

/** The label of a kind of changed response; an unknown kind is shown as it is. */
function shapeLabel(kind: string): string {
  return kinds[kind] ?? kind
}

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
