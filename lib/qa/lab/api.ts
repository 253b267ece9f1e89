import 'server-only'
import { labReads } from '#lib/api/lab.ts'
import { implement } from '#lib/gate/implement.ts'
import { performLabAction } from './actions.ts'
import { readExplorer, readExplorerEndpoint, readExample } from './explorer.ts'
import { readLabState, readLabDetails, readFaultEndpoints } from './lab.ts'
import { recordedYaml, recordScenario } from './recording.ts'
import { listServiceRequests, readServiceRequest } from './requests.ts'
import { listSandboxes, listSandboxWebhooks, readSandboxRecords } from './sandboxes.ts'
import { startScenarios, stopScenarios } from './scenario-runs.ts'
import { listScenarios, readScenarioRun, readScenarioCase, scenarioJunit, scenarioYaml } from './scenarios.ts'
import { sendExplorerRequest } from './send-explorer-request.ts'

export const labApi = implement(labReads, {
  readLabState,
  readLabDetails,
  listSandboxes,
  readSandboxRecords,
  listSandboxWebhooks,
  readFaultEndpoints,
  readExplorer,
  readExplorerEndpoint,
  readExample,
  listServiceRequests,
  readServiceRequest,
  listScenarios,
  readScenarioRun,
  readScenarioCase,
  scenarioJunit,
  scenarioYaml,
  recordedYaml,
})

export const labHandlers = { performLabAction, startScenarios, stopScenarios, recordScenario, sendExplorerRequest }
