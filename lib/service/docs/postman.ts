import { z } from 'zod'
import type { Endpoint } from '#lib/contract/endpoint.ts'
import { endpointNames, endpointRow, type EndpointName } from '#lib/contract/endpoints.ts'
import { requestForm, type FormField } from '#lib/contract/request-form.ts'
import { plainExamples } from '#lib/contract/test-values.ts'
import { controlRoutes } from '../control/handle.ts'
import { controlPrefix } from '../service-settings.ts'

type Variable = { key: string; value: string; description?: string; disabled?: boolean }

type Item = {
  name: string
  request: {
    method: string
    description: string
    header: Variable[]
    url: { raw: string; host: string[]; path: string[]; query?: Variable[]; variable?: Variable[] }
    body?: { mode: 'raw'; raw: string; options: { raw: { language: 'json' } } }
  }
}

type Example = { query?: Record<string, unknown>; params?: Record<string, unknown>; body?: unknown }

/**
 * A Postman collection (v2.1) of every endpoint and every call of the control plane, from the tables that serve them. An id that a request needs is a
 * variable of its name; the access key goes by HTTP Basic.
 */
export function postmanCollection(baseUrl: string) {
  const used = new Set<string>()
  const endpointItems = new Map<string, Item[]>()
  for (const name of endpointNames) {
    const row = endpointRow(name)
    const folder = row.path.split('/')[1] ?? ''
    endpointItems.set(folder, [...(endpointItems.get(folder) ?? []), endpointItem(name, row)])
  }
  const item = [
    ...[...endpointItems].map(([name, items]) => ({ name, item: items })),
    { name: 'Control plane', item: controlRoutes.map(controlItem) },
  ]
  for (const [, name = ''] of JSON.stringify(item).matchAll(/\{\{(\w+)\}\}/g)) used.add(name)
  const values: Record<string, string> = { baseUrl, controlUrl: new URL(controlPrefix, baseUrl).href }
  for (const name of ['accessKey', ...used]) values[name] ??= ''
  return {
    info: {
      name: 'Card Issuing and Payout Service',
      description: 'Set the variable accessKey; the ids of requests are variables, too.',
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: {
      type: 'basic',
      basic: [
        { key: 'username', value: '{{accessKey}}', type: 'string' },
        { key: 'password', value: '', type: 'string' },
      ],
    },
    variable: Object.entries(values).map(([key, value]) => ({ key, value })),
    item,
  }
}

function endpointItem(name: EndpointName, row: Endpoint): Item {
  const example: Example = name in plainExamples ? plainExamples[name as keyof typeof plainExamples]() : {}
  const form = requestForm(row)
  return toItem(row.method, 'baseUrl', row.path, {
    name: `${row.method} ${row.path}`,
    description: [row.summary, ...(row.rules ?? [])].join('\n'),
    query: form.query.map((field) => toParameter(field, example.query?.[field.name])),
    variable: form.params.map((field) => toParameter(field, example.params?.[field.name])),
    body: form.body && (example.body ?? sampleValue(form.body)),
  })
}

function controlItem({ method, path, body, query }: (typeof controlRoutes)[number]): Item {
  const described = { method: 'POST', path, summary: '', response: z.unknown(), errors: [] } as const
  const form = requestForm({
    ...described,
    ...(body && { body }),
    ...(query instanceof z.ZodObject && { query }),
  })
  return toItem(method, 'controlUrl', path, {
    name: `${method} ${path}`,
    description: 'A call of the control plane of the sandbox.',
    query: form.query.map((field) => toParameter(field, undefined)),
    variable: [],
    body: form.body && sampleValue(form.body),
  })
}

function toItem(
  method: string,
  base: 'baseUrl' | 'controlUrl',
  path: string,
  {
    name,
    description,
    query,
    variable,
    body,
  }: Record<'query' | 'variable', Variable[]> & { name: string; description: string; body: unknown },
): Item {
  const segments = path
    .slice(1)
    .replaceAll(/\{(\w+)\}/g, ':$1')
    .split('/')
  const sent = query.filter(({ disabled }) => !disabled).map(({ key, value }) => `${key}=${value}`)
  const host = `{{${base}}}`
  return {
    name,
    request: {
      method,
      description,
      header: body === null ? [] : [{ key: 'Content-Type', value: 'application/json' }],
      url: {
        raw: `${[host, ...segments].join('/')}${sent.length > 0 ? `?${sent.join('&')}` : ''}`,
        host: [host],
        path: segments,
        ...(query.length > 0 && { query }),
        ...(variable.length > 0 && { variable }),
      },
      ...(body !== null && {
        body: { mode: 'raw', raw: JSON.stringify(body, null, 2), options: { raw: { language: 'json' } } },
      }),
    },
  }
}

/** A parameter that may be left out is there, switched off. */
function toParameter(field: FormField, example: unknown): Variable {
  return {
    key: field.name,
    value: String(example ?? (field.isRequired ? sampleValue(field) : '')),
    ...(field.hint !== null && { description: field.hint }),
    ...(!field.isRequired && { disabled: true }),
  }
}

/** A value of a field: of an object the required ones, of an id a variable of the collection. */
function sampleValue(field: FormField): unknown {
  const { name, kind, options = [], fields = [], item, hint } = field
  if (kind === 'object') {
    const required = fields.filter(({ isRequired }) => isRequired)
    return Object.fromEntries(required.map((inner) => [inner.name, sampleValue(inner)]))
  }
  if (kind === 'list') return item ? [sampleValue({ ...item, name: name.replace(/s$/, '') })] : []
  if (kind === 'select') return options[0]
  if (kind === 'number') return 1
  if (kind === 'boolean') return true
  if (/(?:^id|Id)$/.test(name)) return `{{${name}}}`
  return kind === 'json' ? null : (hint ?? name)
}
