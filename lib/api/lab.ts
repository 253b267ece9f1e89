import type { ScenarioCaseDetail, ScenarioRun } from '#lib/console/lab/types.ts'
import { defineReads, every, forever, once, record } from './read.ts'

const lab = { needs: 'sandbox.simulate', isOf: 'lab', staleOn: { lab: true } } as const
const explorer = { ...lab, isOf: 'explorer' } as const
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
  readExample: { ...explorer, path: 'lab/explorer/[endpoint]/example', poll: once },
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
    poll: { every: every<ScenarioRun>(({ state }) => (state === 'running' ? stepMs : false)), staleAfter: 500 },
  },
  readScenarioCase: {
    ...lab,
    path: 'lab/scenario-runs/[runId]/cases/[position]',
    poll: {
      every: every<ScenarioCaseDetail>(({ report }) =>
        report === null || report.outcome === 'running' ? stepMs : false,
      ),
      staleAfter: 500,
    },
  },
  scenarioJunit: { ...lab, path: 'lab/scenario-runs/[runId]/junit', poll: once },
  scenarioYaml: { ...lab, path: 'lab/scenarios/[name]', poll: once },
  recordedYaml: { ...lab, path: 'lab/recording', poll: once },
})
