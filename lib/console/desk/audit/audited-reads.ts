import 'server-only'
import { database } from '#lib/db/connection.ts'
import { currentCaller, withoutCaller } from '#lib/shared/caller.ts'
import { processWide } from '#lib/shared/process-wide.ts'
import { readPaths, type ReadName } from '#lib/shared/reads.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { minuteMs } from '#lib/shared/time.ts'
import { isAppError } from '../app-error.ts'
import { withBareFailures } from '../bare-failure.ts'
import { masked } from '../masking.ts'
import { permissionsOf, type Permission, type Role } from '../permissions.ts'
import { currentOrigin } from '../request-origin.ts'
import { currentSession } from '../session/session.ts'
import type { Target } from '../shapes.ts'
import { recordAudit } from './chain.ts'
import { recordRefusedAttempt } from './refused-attempts.ts'

/** `shows` is the permission without which the read's sensitive part is masked. The ids are those of its path. */
type SensitiveRead = { shows: Permission; target: (...ids: string[]) => Omit<Target, 'parentId'> }

const list = (id: string, label: string) => () => ({ type: 'list', id, label })
const record = (type: string) => (id: string) => ({ type, id, label: null })

/**
 * Reads that may show data of the class Restricted in full (SECURITY.md): identities of individuals, bank accounts of
 * beneficiaries, and bodies of requests and events, which may hold both.
 */
const sensitiveReads: Partial<Record<ReadName, SensitiveRead>> = {
  readIdentityCase: { shows: 'personal-data.read', target: record('cardaccount') },
  listPayouts: { shows: 'bank-accounts.read', target: list('payouts', 'Payouts') },
  readPayout: { shows: 'bank-accounts.read', target: record('payout') },
  readPayoutToRepeat: { shows: 'bank-accounts.read', target: record('payout') },
  readApproval: { shows: 'bank-accounts.read', target: record('approval') },
  readInboxEvent: { shows: 'bank-accounts.read', target: record('event') },
  readRequest: { shows: 'bank-accounts.read', target: record('request') },
  readAuditEntry: { shows: 'bank-accounts.read', target: record('audit-entry') },
}

/** An open page refetches on its own: within this time of the first read, another one is not recorded. */
const repeatedWithinMs = 15 * minuteMs
const mostRemembered = 10_000
const remembered = processWide<Map<string, number>>('carddeskSensitiveReads', () => new Map())

type AnyRead = (environment: Environment, ...rest: never[]) => Promise<object>

/** The reads, each with its entry in the audit log where it is refused or shows sensitive data. */
export function auditedReads<Reads extends Record<ReadName, AnyRead>>(reads: Reads): Reads {
  const audited = Object.entries(reads).map(([name, read]) => {
    const path = readPaths[name as ReadName]
    const sensitive = sensitiveReads[name as ReadName]
    const run = async (environment: Environment, ...rest: never[]) => {
      const value = await auditedRead(path, environment, () => read(environment, ...rest))
      if (sensitive) await auditSensitiveRead(sensitive, environment, rest, value)
      return value
    }
    return [name, run]
  })
  return Object.fromEntries(audited) as Reads
}

/**
 * Runs a read. A refused one is written to the audit log as an attempt at its area, the first segment of its path: so a
 * person who tries every path leaves some entries a minute and not thousands.
 */
export async function auditedRead<Value>(
  path: string,
  environment: Environment,
  read: () => Promise<Value>,
): Promise<Value> {
  try {
    return await read()
  } catch (error) {
    if (isAppError(error) && error.code === 'NOT_PERMITTED') {
      currentCaller()?.onRefused?.()
      const [area = path] = path.split('/')
      const target = { type: 'page', id: area, parentId: null, label: path.replaceAll(/\[\w+\]/g, '…') }
      await always(async (by) => {
        await recordRefusedAttempt(database(), { by, environment, act: 'page.open', target, code: error.code })
      })
    }
    throw error
  }
}

async function auditSensitiveRead(
  { shows, target: targetOf }: SensitiveRead,
  environment: Environment,
  rest: readonly unknown[],
  value: object,
): Promise<void> {
  await always(async (by) => {
    const held = permissionsOf(by.role, environment)
    if (!held.includes(shows)) return
    const about = targetOf(...rest.filter((each) => typeof each === 'string'))
    const { ipAddress } = await currentOrigin()
    const key = JSON.stringify([by.id, ipAddress, environment, about.type, about.id])
    const now = performance.now()
    const before = remembered().get(key)
    if (before !== undefined && now - before < repeatedWithinMs) return
    const less = held.filter((permission) => permission !== shows)
    if (JSON.stringify(masked(value, less)) === JSON.stringify(value)) return
    const target = { ...about, parentId: null }
    await recordAudit(database(), { by, environment, act: 'data.read', target, outcome: 'done' })
    if (remembered().size >= mostRemembered) remembered().clear()
    remembered().set(key, now)
  })
}

/** Writes for the person of this request, also when they have left meanwhile. A failure refuses the read. */
async function always(write: (by: { id: string; name: string; role: Role }) => Promise<void>): Promise<void> {
  const session = await currentSession()
  if (!session) return
  const { id, name, role } = session.staff
  await withoutCaller(() => withBareFailures(() => write({ id, name, role })))
}
