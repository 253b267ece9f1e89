'use client'

import { Gauge } from 'lucide-react'
import { usePermissions } from '#components/environment/use-permissions.ts'
import { ButtonLink } from '#components/ui/button-link.tsx'
import { type Environment, routes } from '#lib/shared/routes.ts'

/** Leads to the limits of many accounts, for people who may set them. */
export function LimitsLink({ environment }: { environment: Environment }) {
  const { may } = usePermissions(environment)
  if (!may.has('limits.set')) return null
  return (
    <ButtonLink href={routes.limits(environment)} prefetch={false} icon={<Gauge aria-hidden="true" />}>
      Set limits by CSV
    </ButtonLink>
  )
}
