import 'server-only'
import type { Environment } from '#lib/shared/routes.ts'
import { AppError } from './app-error.ts'
import { masked, namesPersonalData } from './masking.ts'
import { onlyRoles, permissionsOf, type Permission } from './permissions.ts'
import { currentSession } from './session/session.ts'

/** A value as the person of this request may read it. All data that leave lib/console pass this function. */
export async function maskedForReader<Value>(value: Value, environment: Environment | undefined): Promise<Value> {
  return masked(value, await permissionsOfReader(environment))
}

/**
 * Refuses a filter that would find people by data that are masked for this person: by a metadata key that names
 * personal data, or by a value that is an e-mail address or a phone number. Throws `NOT_PERMITTED`.
 */
export async function requireUnmaskedFilter(
  environment: Environment,
  filter: { groupKey?: unknown; group?: unknown },
): Promise<void> {
  const values = [filter.groupKey, filter.group].filter((value) => typeof value === 'string')
  const isPersonal =
    (typeof filter.groupKey === 'string' && namesPersonalData(filter.groupKey)) ||
    values.some((value) => masked({ group: value }, []).group !== value)
  if (!isPersonal || (await permissionsOfReader(environment)).includes('personal-data.read')) return
  throw new AppError('NOT_PERMITTED', onlyRoles('personal-data.read', environment))
}

async function permissionsOfReader(environment: Environment | undefined): Promise<readonly Permission[]> {
  const session = await currentSession()
  return session ? permissionsOf(session.staff.role, environment ?? 'sandbox') : []
}
