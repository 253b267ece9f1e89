import type { SimulatorName } from './simulators.ts'

/** The simulators that the interface has. Only the control plane of the built-in sandbox has the others. */
export const interfaceSimulators: readonly SimulatorName[] = ['charge', 'reverse', 'repay', 'identity']

/** Why something is not simulated by another service's sandbox. */
export const onlyBuiltIn = 'Only Carddesk’s built-in sandbox can: the interface has no simulator for it.'
