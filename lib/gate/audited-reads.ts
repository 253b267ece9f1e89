import 'server-only'
import type { ReadDefinition } from '#lib/api/read.ts'
import { recordAudit } from '#lib/audit/chain.ts'
import { recordRefusedAttempt } from '#lib/audit/refused-attempts.ts'
import { currentOrigin } from '#lib/audit/request-origin.ts'
import { masked } from '#lib/auth/masking.ts'
import { listPermissions, type Permission, type Role, unmaskingPermissions } from '#lib/auth/permissions.ts'
import { currentSession } from '#lib/auth/session.ts'
import { database } from '#lib/db/connection.ts'
import { isAppError } from '#lib/shared/app-error.ts'
import { globalSingleton } from '#lib/shared/global-singleton.ts'
import { currentRequestContext, outsideRequestContext } from '#lib/shared/request-context.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { withSanitizedErrors } from '#lib/shared/sanitized-errors.ts'
import { minuteMs } from '#lib/shared/time.ts'

/** An open page refetches on its own: within this time of the first read, another one is not recorded. */
const repeatedWithinMs = 15 * minuteMs
const mostRemembered = 10_000
const remembered = globalSingleton<Map<string, number>>('carddeskSensitiveReads', () => new Map())

/**
 * Runs a read, with its entry in the audit log where it is refused or shows sensitive data. A refused one is an attempt at its
 * area, the first segment of its path: so a person who tries every path leaves some entries a minute and not thousands.
 */
export async function auditRead<Value extends object>(
  { path, sensitive }: Pick<ReadDefinition, 'path' | 'sensitive'>,
  environment: Environment,
  args: readonly unknown[],
  read: () => Promise<Value>,
): Promise<Value> {
  if (currentRequestContext()?.isAuditedAsOne) return read()
  try {
    const value = await read()
    if (sensitive) await auditSensitiveRead(sensitive, environment, args, value)
    return value
  } catch (error) {
    if (isAppError(error) && error.code === 'NOT_PERMITTED') {
      currentRequestContext()?.onRefused?.()
      const [area = path] = path.split('/')
      const target = { type: 'page', id: area, parentId: null, label: path.replaceAll(/\[\w+\]/g, '…') }
      await writeAsReader(async (by) => {
        await recordRefusedAttempt(database(), { by, environment, act: 'page.open', target, code: error.code })
      })
    }
    throw error
  }
}

async function auditSensitiveRead(
  sensitive: NonNullable<ReadDefinition['sensitive']>,
  environment: Environment,
  args: readonly unknown[],
  value: object,
): Promise<void> {
  await writeAsReader(async (by) => {
    const held = listPermissions(by.role, environment)
    if (!held.some(unmasks)) return
    const about = sensitive(...args.filter((each) => typeof each === 'string'))
    const { ipAddress } = await currentOrigin()
    const key = JSON.stringify([by.id, ipAddress, environment, about.type, about.id])
    const now = performance.now()
    const before = remembered().get(key)
    if (before !== undefined && now - before < repeatedWithinMs) return
    const others = held.filter((permission) => !unmasks(permission))
    if (inFull(masked(value, others)) === inFull(masked(value, held))) return
    const target = { label: null, ...about }
    await recordAudit(database(), { by, environment, act: 'data.read', target, outcome: 'done' })
    if (remembered().size >= mostRemembered) remembered().clear()
    remembered().set(key, now)
  })
}

function unmasks(permission: Permission): boolean {
  return unmaskingPermissions.some((unmasking) => unmasking === permission)
}

/** The longest text that a service masks: a name, an address of one line. Longer ones hold other data beside it. */
const longestMasked = 100

/** A value without what the service has masked already, such as `1990-**-**`: nobody reads that in full. */
function inFull(value: object): string {
  return JSON.stringify(value, (_key, each: unknown) =>
    typeof each === 'string' && each.length <= longestMasked && /[*•]{2}/.test(each) ? '' : each,
  )
}

/** Writes for the person of this request, also when they have left meanwhile. A failure refuses the read. */
async function writeAsReader(write: (by: { id: string; name: string; role: Role }) => Promise<void>): Promise<void> {
  const session = await currentSession()
  if (!session) return
  const { id, name, role } = session.staff
  await outsideRequestContext(() => withSanitizedErrors(() => write({ id, name, role })))
}
