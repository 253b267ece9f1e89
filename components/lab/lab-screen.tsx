'use client'

import type { Environment } from '#lib/shared/routes.ts'
import { LabFrame } from './lab-frame.tsx'

/** The sandbox: its clock, faults, simulators and snapshots. */
export function LabScreen({ environment }: { environment: Environment }) {
  return <LabFrame environment={environment}>{null}</LabFrame>
}
