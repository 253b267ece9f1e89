import type { RawExchange, Signing } from '#lib/client/raw-request.ts'
import type { Part, RequestIssue } from '#lib/contract/describe-issues.ts'
import type { EndpointName } from '#lib/contract/endpoints.ts'
import type { RequestForm } from '#lib/contract/request-form.ts'
import type { TestValue } from '#lib/contract/test-values.ts'
import type { ScenarioVariable } from '#lib/qa/scenarios/cases.ts'
import type { Mistake } from '#lib/qa/scenarios/parse.ts'
import type { CaseOutcome, CaseReport } from '#lib/qa/scenarios/report.ts'

export type { ScenarioVariable } from '#lib/qa/scenarios/cases.ts'
export type { StepOutcome, StepReport } from '#lib/qa/scenarios/report.ts'

/** A built-in scenario, as the screen lists it. */
export type ListedScenario = {
  name: string
  title: string
  description: string
  tags: string[]
  cases: number
  variables: ScenarioVariable[]
}

/** The recording of a person. `startedAt` is ISO 8601. */
export type Recording = { startedAt: string; isRecording: boolean; steps: number }

/** `waiting`: not started. */
export type ScenarioCaseOutcome = CaseOutcome | 'waiting'

/** `interrupted`: its process ended before the run did. Times are ISO 8601. */
export type ScenarioRunState = 'running' | 'passed' | 'failed' | 'stopped' | 'interrupted'

export type ScenarioRunSummary = {
  id: string
  title: string
  state: ScenarioRunState
  by: string
  startedAt: string
  finishedAt: string | null
  problem: string | null
  /** Id of a sandbox of one's own; null for the shared one. */
  sandbox: string | null
  counts: Record<'total' | 'passed' | 'failed' | 'skipped', number>
}

/** One case in the list of a run. `failure` is the first difference of its failed step. */
export type ScenarioCaseSummary = {
  position: number
  file: string
  title: string
  label: string | null
  outcome: ScenarioCaseOutcome
  durationMs: number
  /** The step that runs, failed or was skipped. */
  step: string | null
  failure: string | null
}

export type ScenarioRun = ScenarioRunSummary & { cases: ScenarioCaseSummary[] }

/** The report of a case; null until it begins. */
export type ScenarioCaseDetail = { report: CaseReport | null }

/**
 * `mistakes`: the file is wrong. `variables`: it needs values. `moves-clock` and `replaces-contents`: the scenarios of these titles
 * do so in the shared sandbox, which was not agreed to. Nothing was run then.
 */
export type StartScenariosResult =
  | { kind: 'started'; runId: string }
  | { kind: 'mistakes'; mistakes: Mistake[] }
  | { kind: 'variables'; variables: ScenarioVariable[] }
  | { kind: 'moves-clock' | 'replaces-contents'; titles: string[] }
  | { kind: 'problem'; message: string }

export type EndpointSummary = { name: EndpointName; method: 'GET' | 'POST'; path: string; summary: string }

/** The initial data of the explorer. `baseUrl` ends with the version segment. */
export type Explorer = {
  baseUrl: string
  /** Id of the sandbox of one's own that requests are sent to; null for the shared one. */
  sandbox: string | null
  /** The ways to sign that the connection has: without a private key there is no token to make wrongly. */
  signings: readonly Signing[]
  endpoints: EndpointSummary[]
  testValues: readonly TestValue[]
}

/** How one endpoint is requested. */
export type ExplorerEndpoint = EndpointSummary & {
  rules: readonly string[]
  form: RequestForm
  isSandboxOnly: boolean
}

export type PlacedIssue = RequestIssue & { part: Part }

/**
 * One request and its response, without the body that was entered. Card numbers are masked. The response is never stored: it may
 * be a link to a card number. The request is, while its sender records a scenario.
 */
export type Exchange = {
  endpoint: EndpointName
  method: 'GET' | 'POST'
  url: string
  /** Request headers as sent. Of the token, only the first and last characters. */
  requestHeaders: Record<string, string>
  token: RawExchange['token']
  signing: Signing
  status: number | null
  headers: Record<string, string>
  /** The response's text, at most `longestShown` characters of it. */
  body: string | null
  isTruncated: boolean
  failure: string | null
  durationMs: number
  /** Where a successful response differs from the contract, or an error's code is none of the endpoint's. */
  deviations: { path: string; expected: string; found: string }[]
  /** The service's message about each field. */
  issues: PlacedIssue[]
}

/** A request in the log of the built-in service. `at` is real time; `status` is null where no response was sent. */
export type LoggedRequest = {
  at: string
  requestId: string
  method: string
  path: string
  endpoint: EndpointName | null
  status: number | null
  code: string | null
  durationMs: number
}

export type LoggedExchange = LoggedRequest & {
  idempotencyKey: string | null
  requestBody: string | null
  requestNote: string | null
  responseBody: string | null
  responseNote: string | null
  /** The values for the explorer's form; null where the path belongs to no endpoint. */
  prefill: { endpoint: EndpointName; params: Record<string, string>; query: Record<string, string[]> } | null
}

/** An endpoint of the interface that a fault can be armed for. `fields` are the JSON paths of its successful response. */
export type FaultEndpoint = { method: string; path: string; summary: string; fields: string[] }

/**
 * The changes of an action: the transaction or account to open, and figures of the sandbox. Any of them may be null.
 */
export type LabResult = {
  transaction: { id: string; cardAccountId: string; status: string | null; reason: string | null } | null
  cardAccountId: string | null
  /** The result of a simulation of several accounts, account by account; the amounts are those of a repayment. */
  accounts: { cardAccountId: string | null; amount: number | null; currency: string | null; error: string | null }[]
  /** How much was performed while the clock was moved. */
  performed: number | null
  /** The sandbox that was made. */
  sandboxId: string | null
}

/** The result of an action that changed none of them. */
export const noResult: LabResult = {
  transaction: null,
  cardAccountId: null,
  accounts: [],
  performed: null,
  sandboxId: null,
}
