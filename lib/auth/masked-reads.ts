import 'server-only'
import { consoleSettings } from '#lib/settings/console-settings.ts'
import { AppError } from '#lib/shared/app-error.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { masked } from './masking.ts'
import { onlyRoles, listPermissions, type Permission } from './permissions.ts'
import { currentSession } from './session.ts'

/** A value as the person of this request may read it. Reads, exports and records of operations pass this function. */
export async function maskForReader<Value>(value: Value, environment: Environment | undefined): Promise<Value> {
  return masked(value, await listReaderPermissions(environment))
}

/**
 * Refuses a filter that would find people by data that are masked for this person: by a metadata key whose values
 * they do not see, or by a value that is an e-mail address or a phone number. Throws `NOT_PERMITTED`.
 */
export async function requireUnmaskedFilter(
  environment: Environment,
  filter: { groupKey?: unknown; group?: unknown },
): Promise<void> {
  const { groupKey, group } = filter
  const isOpen =
    typeof groupKey !== 'string' || groupKey === '' || consoleSettings().openMetadataKeys.includes(groupKey)
  if (
    (isOpen && masked({ group }, []).group === group) ||
    (await listReaderPermissions(environment)).includes('personal-data.read')
  )
    return
  throw new AppError('NOT_PERMITTED', onlyRoles('personal-data.read', environment))
}

/** The keys of metadata whose values the person of this request sees; null where they are all. */
export async function openKeysForReader(environment: Environment): Promise<readonly string[] | null> {
  const seesAll = (await listReaderPermissions(environment)).includes('personal-data.read')
  return seesAll ? null : consoleSettings().openMetadataKeys
}

async function listReaderPermissions(environment: Environment | undefined): Promise<readonly Permission[]> {
  const session = await currentSession()
  return session ? listPermissions(session.staff.role, environment ?? 'sandbox') : []
}
