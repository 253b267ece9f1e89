import 'server-only'
import type { ActionDefinition } from '#lib/api/action.ts'
import type { ReadDefinition } from '#lib/api/read.ts'
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
        await requireNeeds(definition, environment, rest[0])
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
  type?: unknown,
): Promise<void> {
  const neededLab = lab ?? (needs === 'sandbox.simulate' ? 'interface' : null)
  if (needs === 'session' || neededLab) await requireCurrentStaff()
  if (neededLab) requireLab(environment, neededLab)
  if (needs === 'session') return
  if (typeof needs === 'string') return void (await requirePermission(needs, environment))
  // A type that there is not is an error of the body's.
  await requirePermission(valueOrFirst(needs.byType, type), environment)
}

/** The value of a table under a key that nobody has checked; the first one where the table has no such key. */
export function valueOrFirst<Value>(table: Readonly<Record<string, Value>>, key: unknown): Value {
  const value = Object.hasOwn(table, String(key)) ? table[String(key)] : Object.values(table)[0]
  if (value === undefined) throw new Error('a table of permissions or acts is empty')
  return value
}
