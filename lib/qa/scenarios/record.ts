import { stringify } from 'yaml'
import { asFields } from '#lib/shared/json.ts'
import { findCreation } from './calls.ts'

/** Something that a person did by hand: a call of the interface or of the control plane, and what it came to. */
export type RecordedCall = {
  kind: 'call' | 'control'
  /** Method and path, such as `POST /cards/lock`. */
  call: string
  query?: Readonly<Record<string, string>>
  /** The JSON body; null where it held a secret and was erased. */
  body: unknown
  /** The idempotency key that was sent beside the body. */
  key?: string | null
  /** Null where no response came. */
  status: number | null
  code: string | null
  /** The field of the response with the id of the record that was made, and the id. */
  made: { field: string; id: string } | null
}

type Fields = Record<string, unknown>

/**
 * The scenario file that does the same again. Ids of records that a recorded step made come from that step, all other ids
 * are variables with the recorded id as their value. An idempotency key or an external id of a record that was made is the same in
 * each step that had it, and another one in each run. `schemaUrl` is where an editor finds the JSON Schema.
 */
export function recordedScenario(title: string, calls: readonly RecordedCall[], schemaUrl: string): string {
  const { vars, withNames, nameKey, nameXid, nameMade } = nameIds()
  const steps = calls.map(({ kind, call, query = {}, body, key = null, status, code, made }): Fields => {
    if ((status ?? 0) < 400) nameXid(asFields(body).xid)
    const namedQuery = withNames(query, 'record')
    const named = withNames(body ?? {}, 'record')
    const save = made && nameMade(made.id, findCreation(kind, call)?.variable ?? 'madeId')
    const expect = status === null ? { dropped: true } : { status, ...(code === null ? {} : { code }) }
    return {
      [kind]: call,
      ...(key === null ? {} : { key: nameKey(key) }),
      ...(isEmpty(namedQuery) ? {} : { query: namedQuery }),
      ...(isEmpty(named) ? {} : { body: named }),
      expect,
      ...(made && save ? { save: { [save]: `body.${made.field}` } } : {}),
    }
  })
  const file = {
    scenario: title,
    description: 'Recorded in the lab. Add what each step is expected to come to.',
    tags: ['recorded'],
    ...(isEmpty(vars) ? {} : { vars }),
    steps,
  }
  return `# yaml-language-server: $schema=${schemaUrl}\n${stringify(file, { lineWidth: 0 })}`
}

/** Gives each id, external id and idempotency key of a recording one name, and collects the variables. */
function nameIds() {
  const names = new Map<string, string>()
  const keys = new Map<string, string>()
  const xids = new Map<string, string>()
  const vars: Fields = {}
  function giveName(id: string, base: string): string {
    const taken = new Set(names.values())
    let name = base
    for (let count = 2; taken.has(name); count += 1) name = `${base}${count}`
    names.set(id, name)
    return name
  }
  /** The value with `${name}` for each id in it; an id without a name becomes a variable that is named after its field. */
  function withNames(value: unknown, field: string): unknown {
    if (Array.isArray(value)) return value.map((item) => withNames(item, field))
    if (typeof value === 'object' && value !== null) {
      return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withNames(inner, key)]))
    }
    if (typeof value === 'string' && field === 'idempotencyKey') return nameKey(value)
    const xid = typeof value === 'string' && field === 'xid' ? xids.get(value) : undefined
    if (xid !== undefined) return xid
    if (typeof value !== 'string') return value
    if (!isId(value) && field !== 'id') return literal(value)
    const known = names.get(value)
    if (known !== undefined) return `\${${known}}`
    // Ids of faults and snapshots from before the recording stay as they are.
    if (!isId(value)) return literal(value)
    const name = giveName(value, variableName(field))
    vars[name] = value
    return `\${${name}}`
  }
  /** A key of the run: the recorded one would get its stored response again. */
  function nameKey(key: string): string {
    const named = keys.get(key) ?? `recorded-${keys.size + 1}-\${run}`
    keys.set(key, named)
    return named
  }
  /** An external id of the run: that of a record that was made exists already. */
  function nameXid(xid: unknown): void {
    if (typeof xid === 'string' && xid && !xids.has(xid)) xids.set(xid, `recorded-xid-${xids.size + 1}-\${run}`)
  }
  /** The name of a record that a step made; null where its id has one already. */
  function nameMade(id: string, base: string): string | null {
    return names.has(id) ? null : giveName(id, base)
  }
  return { vars, withNames, nameKey, nameXid, nameMade }
}

/** The template of a text that has `${` in it and is no template. */
function literal(text: string): string {
  return text.replaceAll('${', () => "${'$'}{")
}

/** `cardId`, or for a plain `id` or a list of ids a name that says so. */
function variableName(field: string): string {
  if (field === 'id') return 'recordId'
  const singular = field.replace(/Ids$/, 'Id')
  return /^[A-Za-z]\w*Id$/.test(singular) ? singular : `${singular.replaceAll(/\W/g, '')}Id`
}

function isId(text: string): boolean {
  return /^(?:id_)?[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i.test(text)
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}
