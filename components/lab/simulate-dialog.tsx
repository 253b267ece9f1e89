'use client'

import { useEffect, useRef } from 'react'
import { Dialog } from '#components/ui/dialog.tsx'
import type { Environment } from '#lib/shared/routes.ts'
import { SimulatorForm } from './simulator-form.tsx'
import { bodyOf, initialValues, simulators, type FormValues, type Simulator, type SimulatorName } from './simulators.ts'
import { useLabAction } from './use-lab.tsx'

/** A simulator in a dialog. `isSentAtOnce`: it is sent when the dialog opens, and the form can send it again. */
export function SimulateDialog({
  environment,
  simulator: name,
  given,
  isSentAtOnce,
  isOpen,
  onClose,
}: {
  environment: Environment
  simulator: SimulatorName
  given: FormValues
  isSentAtOnce: boolean
  isOpen: boolean
  onClose: () => void
}) {
  const simulator: Simulator = simulators[name]
  const lab = useLabAction(environment)
  const isSent = useRef(false)
  const { perform } = lab
  useEffect(() => {
    if (!isSentAtOnce || isSent.current) return
    isSent.current = true
    perform(simulator.action, bodyOf(simulator, initialValues(simulator, given)))
  }, [isSentAtOnce, perform, simulator, given])
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={simulator.label}
      description="Sandbox only. Saved in the audit log."
      size="large"
    >
      <SimulatorForm environment={environment} simulator={simulator} given={given} lab={lab} />
    </Dialog>
  )
}
