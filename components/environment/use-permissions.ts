'use client'

import { useQuery } from '@tanstack/react-query'
import { onlyRoles, type Permission, type Role } from '#lib/auth/permissions.ts'
import { currentStaffQuery } from '#lib/queries/session.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { useEnvironment } from './use-environment.ts'

/**
 * The signed-in person's permissions. The role is undefined until they are loaded; then nothing is allowed. `denied` says why the person may not
 * do something: undefined where they may, or as long as that is not known.
 */
export function usePermissions() {
  const environment = useEnvironment()
  const { data } = useQuery(currentStaffQuery())
  const role: Role | undefined = data?.staff.role
  return { role, ...toActingPerson(environment, data?.permissions[environment]) }
}

export type ActingPerson = ReturnType<typeof toActingPerson>

/** What somebody with these permissions in the environment may do, and why not the rest. Undefined: not loaded yet. */
export function toActingPerson(environment: Environment, permissions: readonly Permission[] | undefined) {
  const may: ReadonlySet<Permission> = new Set(permissions)
  return {
    may,
    denied: (permission: Permission) =>
      permissions === undefined || may.has(permission) ? undefined : onlyRoles(permission, environment),
  }
}
