'use client'

import { useQuery } from '@tanstack/react-query'
import type { Permission, Role } from '#lib/auth/permissions.ts'
import { currentStaffQuery } from '#lib/queries/session.ts'
import { useEnvironment } from './use-environment.ts'

/** The signed-in person's permissions. Undefined until they are loaded; then nothing is allowed. */
export function usePermissions(): { role: Role | undefined; may: ReadonlySet<Permission> } {
  const environment = useEnvironment()
  const { data } = useQuery(currentStaffQuery())
  return { role: data?.staff.role, may: new Set(data?.permissions[environment]) }
}
