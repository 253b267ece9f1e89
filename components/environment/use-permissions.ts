'use client'

import { useQuery } from '@tanstack/react-query'
import { onlyRoles, type Permission, type Role } from '#lib/auth/permissions.ts'
import { currentStaffQuery } from '#lib/queries/session.ts'
import { useEnvironment } from './use-environment.ts'

/**
 * The signed-in person's permissions. The role is undefined until they are loaded; then nothing is allowed. `denied` says why the person may not
 * do something: undefined where they may, or as long as that is not known.
 */
export function usePermissions() {
  const environment = useEnvironment()
  const { data } = useQuery(currentStaffQuery())
  const role: Role | undefined = data?.staff.role
  const may: ReadonlySet<Permission> = new Set(data?.permissions[environment])
  return {
    role,
    may,
    denied: (permission: Permission) => (role === undefined || may.has(permission) ? undefined : onlyRoles(permission)),
  }
}
