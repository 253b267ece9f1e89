import { defineActions } from './action.ts'
import { defineReads, every, forever, noPolling, record } from './read.ts'

const explorer = { needs: 'sandbox.simulate', staleOn: { lab: true } } as const
const lab = { ...explorer, lab: 'built-in' } as const
/** A step takes some milliseconds. */
const stepMs = 700

export const labReads = defineReads({
  readLabState: { ...lab, path: 'lab/state', needs: 'session', poll: record },
  readLabDetails: { ...lab, path: 'lab/details', poll: record },
  // From the contract.
  listSandboxes: { ...lab, path: 'lab/sandboxes', poll: record },
  readSandboxRecords: { ...lab, path: 'lab/sandbox-records', poll: record, example: '?kind=funding-accounts' },
  listSandboxWebhooks: { ...lab, path: 'lab/sandbox-webhooks', poll: record },
  readFaultEndpoints: { ...lab, path: 'lab/fault-endpoints', poll: { staleAfter: forever } },
  readExplorer: { ...explorer, path: 'lab/explorer', poll: { staleAfter: forever } },
  readExplorerEndpoint: { ...explorer, path: 'lab/explorer/[endpoint]', poll: { staleAfter: forever } },
  readExample: { ...explorer, path: 'lab/explorer/[endpoint]/example', poll: noPolling },
  listServiceRequests: {
    ...explorer,
    path: 'lab/requests',
    poll: { every: 5_000, staleAfter: 1_000, keepsRows: true },
  },
  readServiceRequest: { ...explorer, path: 'lab/requests/[requestId]', poll: { staleAfter: forever } },
  listScenarios: { ...lab, path: 'lab/scenarios', poll: { ...record, staleAfter: 1_000 } },
  readScenarioRun: {
    ...lab,
    path: 'lab/scenario-runs/[runId]',
    poll: { every: every<{ state: string }>(({ state }) => (state === 'running' ? stepMs : false)), staleAfter: 500 },
  },
  readScenarioCase: {
    ...lab,
    path: 'lab/scenario-runs/[runId]/cases/[position]',
    poll: {
      every: every<{ report: { outcome: string } | null }>(({ report }) =>
        report === null || report.outcome === 'running' ? stepMs : false,
      ),
      staleAfter: 500,
    },
  },
  scenarioJunit: { ...lab, path: 'lab/scenario-runs/[runId]/junit', poll: noPolling },
  scenarioYaml: { ...lab, path: 'lab/scenarios/[name]', poll: noPolling },
  recordedYaml: { ...lab, path: 'lab/recording', poll: noPolling },
})

const inLab = { needs: 'sandbox.simulate', lab: 'built-in' } as const

/** Actions of the lab on the sandbox. */
const labLabels = {
  charge: 'Simulate charge',
  capture: 'Simulate capture',
  reverse: 'Simulate reversal',
  credit: 'Simulate credit',
  repay: 'Simulate repayment',
  'decide-identity': 'Simulate identity decision in the lab',
  'add-webhook': 'Add webhook of a sandbox',
  'remove-webhook': 'Remove webhook of a sandbox',
  fee: 'Simulate fee',
  dispute: 'Simulate dispute',
  'top-up': 'Simulate top-up',
  event: 'Simulate event',
  advance: 'Advance sandbox clock',
  'arm-fault': 'Arm fault',
  'remove-fault': 'Remove fault',
  'reset-modes': 'Reset sandbox modes',
  'take-snapshot': 'Take snapshot',
  'delete-snapshot': 'Delete snapshot',
  'restore-snapshot': 'Restore snapshot',
  'make-sandbox': 'Make sandbox',
  'delete-sandbox': 'Delete sandbox',
  reset: 'Reset sandbox',
}
export type LabActionName = keyof typeof labLabels
export const labActionNames = Object.keys(labLabels) as LabActionName[]
/** The audit code and label of each action; the first is for an action that is unknown. */
const ofLab: Record<string, { act: string; label: string }> = {
  '': { act: 'lab', label: 'Unknown action of the lab' },
  ...Object.fromEntries(Object.entries(labLabels).map(([name, label]) => [name, { act: `lab.${name}`, label }])),
}

export const labActions = defineActions({
  performLabAction: {
    needs: 'sandbox.simulate',
    act: { by: 'action', of: ofLab },
    changes: 'everything',
  },
  startScenarios: { ...inLab, act: 'scenario.run', label: 'Run scenarios', changes: ['lab'] },
  stopScenarios: { ...inLab, act: 'scenario.stop', label: 'Stop scenarios', changes: ['lab'] },
  recordScenario: { ...inLab, act: 'scenario.record', label: 'Record a scenario', changes: ['lab'] },
  sendExplorerRequest: {
    needs: 'sandbox.simulate',
    act: 'explorer.send',
    label: 'Send request from the API explorer',
  },
})
