import 'server-only'
import type { ActionDefinition } from '#lib/api/action.ts'
import type { ByValue, ReadDefinition } from '#lib/api/read.ts'
import { requireCurrentStaff, requirePermission } from '#lib/auth/session.ts'
import { requireLab } from '#lib/environments/lab.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { auditRead } from './audited-reads.ts'

type Ids<Path> = Path extends `${string}[${string}]${infer Rest}` ? [id: string, ...Ids<Rest>] : []
type Definitions = Readonly<Record<string, ReadDefinition>>
/** The bodies of reads: each takes the environment, the ids of its path, and the search of its URL. */
type Bodies<Reads extends Definitions> = {
  [Name in keyof Reads]: (
    environment: Environment,
    ...rest: [...Ids<Reads[Name]['path']>, search: Record<string, string | string[]>]
  ) => Promise<object>
}
type AnyBody = (environment: Environment, ...rest: never[]) => Promise<object>

/** The reads of a resource: their bodies, each behind what its definition needs, and audited where it is refused or sensitive. */
export function implement<const Reads extends Definitions, Implemented extends Bodies<Reads> & Record<string, AnyBody>>(
  definitions: Reads,
  bodies: Implemented,
): Implemented {
  const guarded = Object.entries<AnyBody>(bodies).map(([name, body]) => {
    const definition = definitions[name]
    if (!definition) throw new Error(`There is no read ${name}.`)
    const read: AnyBody = (environment, ...rest) =>
      auditRead(definition, environment, rest, async () => {
        await requireNeeds(definition, environment, (segment) => rest[segmentAt(definition.path, segment)])
        return body(environment, ...rest)
      })
    return [name, read]
  })
  return Object.fromEntries(guarded) as Implemented
}

/**
 * Throws `NOT_SIGNED_IN`, `LAB_NOT_FOUND` where the environment lacks the lab that it needs, whatever the role, and `NOT_PERMITTED`.
 */
export async function requireNeeds(
  { needs, lab }: { needs: ReadDefinition['needs']; lab?: ActionDefinition['lab'] | undefined },
  environment: Environment,
  valueOf: (by: string) => unknown = () => undefined,
): Promise<void> {
  const neededLab = lab ?? (needs === 'sandbox.simulate' ? 'interface' : null)
  if (needs === 'session' || neededLab) await requireCurrentStaff()
  if (neededLab) requireLab(environment, neededLab)
  if (needs === 'session') return
  if (typeof needs === 'string') return void (await requirePermission(needs, environment))
  await requirePermission(resolveByValue(needs, valueOf), environment)
}

/** The position of a segment such as `[type]` among the ids of a path. */
function segmentAt(path: string, segment: string): number {
  return [...path.matchAll(/\[(\w+)\]/g)].findIndex(([, name]) => name === segment)
}

/** Chooses by a value that nobody has checked. An unknown one gets the first of the table; the body then rejects it. */
export function resolveByValue<Value>({ by, of: table }: ByValue<Value>, valueOf: (by: string) => unknown): Value {
  const key = String(valueOf(by))
  const value = Object.hasOwn(table, key) ? table[key] : Object.values(table)[0]
  if (value === undefined) throw new Error('a table of permissions or acts is empty')
  return value
}
