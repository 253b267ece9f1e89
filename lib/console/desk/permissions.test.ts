import { randomUUID } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { expect, onTestFinished, test, vi } from 'vitest'
import { readPaths } from '#lib/shared/reads.ts'
import { type Environment, environments } from '#lib/shared/routes.ts'
import { listApprovals, readApproval, readWaitingApprovals } from '../approvals/read.ts'
import { listPayoutBanks, readBank } from '../banks.ts'
import * as bulk from '../bulk/control.ts'
import { listBulkJobs, readBulkJob } from '../bulk/read.ts'
import { bulkResultCsv } from '../bulk/result-csv.ts'
import { explainBalance } from '../card-accounts/balance-explanation.ts'
import { listCardAccounts, listMetadataKeys, readAggregateBalances, readCardAccount } from '../card-accounts/list.ts'
import { requireOpening } from '../card-accounts/operations.ts'
import { readCard, readCardClock } from '../cards/detail.ts'
import { listCardProducts } from '../cards/issue.ts'
import { revealCard } from '../cards/reveal.ts'
import { listDeviations, readConnection, runConnectionCheck } from '../connection/read.ts'
import { createEmbedToken, type CreateEmbedTokenInput, readEmbedHosts } from '../embed/create-token.ts'
import { createEmbedKey, readEmbedSettings, revokeEmbedKey } from '../embed/keys.ts'
import { exportList } from '../export/export.ts'
import { listFees, readFee, readFeeTotals } from '../fees/list.ts'
import * as waivers from '../fees/waive-many.ts'
import type { StartWaiversInput } from '../fees/waive-many.ts'
import { listFundingAccounts, listLedger } from '../funding-accounts.ts'
import { listIndividualLists } from '../identity/individual.ts'
import { listIdentities, readIdentityCase } from '../identity/read.ts'
import { listInbox, readInboxEvent } from '../inbox/read.ts'
import { performLabAction } from '../lab/actions.ts'
import { sendExplorerRequest } from '../lab/explorer.ts'
import { readFaultEndpoints, readLabDetails, readLabState } from '../lab/lab.ts'
import * as recordings from '../lab/recording.ts'
import * as scenarioRuns from '../lab/scenario-runs.ts'
import * as scenarios from '../lab/scenarios.ts'
import { limitsStart } from '../limits/left-over.ts'
import * as many from '../limits/many.ts'
import type { StartLimitsInput } from '../limits/many.ts'
import { readMyWork } from '../my-work.ts'
import { listAssignees, listNotes } from '../notes/read.ts'
import * as notes from '../notes/write.ts'
import type { AddNoteInput } from '../notes/write.ts'
import { readOverview } from '../overview.ts'
import { readPayout } from '../payouts/detail.ts'
import { listPayouts } from '../payouts/list.ts'
import { readPayoutOffer } from '../payouts/operations.ts'
import * as quotes from '../payouts/quote.ts'
import type { QuotePayoutInput } from '../payouts/quote.ts'
import { readPayoutToRepeat } from '../payouts/repeat.ts'
import { readRateHistory } from '../rates/history.ts'
import { readRates } from '../rates/read.ts'
import { reads } from '../reads.ts'
import { readReference } from '../references/detail.ts'
import * as views from '../saved-views.ts'
import { listSavedViews, type SaveViewInput } from '../saved-views.ts'
import { searchConsole } from '../search.ts'
import { openConsole } from '../testing/open-console.ts'
import { readTransaction } from '../transactions/detail.ts'
import { listTransactions } from '../transactions/list.ts'
import { acknowledgeWebhook } from '../webhooks/acknowledge.ts'
import { listDeliveries } from '../webhooks/deliveries.ts'
import { readWebhookAlerts, readWebhooks } from '../webhooks/read.ts'
import { replayDelivery, testWebhook } from '../webhooks/test-webhook.ts'
import { isAppError } from './app-error.ts'
import { decideApproval, type DecideApprovalInput, sendApproved, withdrawApproval } from './approvals/decide.ts'
import { decidePolicy, proposePolicy, type ProposePolicyInput, readPolicy } from './approvals/policy-changes.ts'
import { listAudit } from './audit/audit.ts'
import { readAuditEntry } from './audit/detail.ts'
import { readAuditIntegrity } from './audit/integrity.ts'
import { serviceClockForScreen } from './connections/control-plane.ts'
import { readServiceHealth } from './connections/health.ts'
import { closeLive, openLiveStream } from './live/stream.ts'
import { act } from './operations/act.ts'
import { operationKinds } from './operations/kinds.ts'
import { readOperation, resolveOperation } from './operations/resolve.ts'
import {
  onlyRoles,
  type Permission,
  permissions,
  permissionsOf,
  roleNames,
  rolePermissions,
  roles,
  roleSummary,
} from './permissions.ts'
import { noteSessionActivity, readSessionActivity } from './session/activity.ts'
import { endOwnSession, readOwnAccount } from './session/own-sessions.ts'
import { requireCurrentStaff } from './session/session.ts'
import { changeStaffAccess, inviteToDesk, listStaff } from './session/staff-admin.ts'
import { consoleSettings } from './settings.ts'
import { beginEnrolment, confirmStepUp, finishEnrolment, removePasskey, renamePasskey } from './step-up/passkeys.ts'

const id = '11111111-1111-4111-8111-111111111111'

/** Every kind of operation, with what it takes. */
const operations = Object.entries(operationKinds).map(([kind, { permission }]) => [
  kind,
  {
    needs: permission,
    call: (environment: Environment) => act(kind as 'fee.waive', { environment, operationId: randomUUID(), feeId: '' }),
  },
])

/** Every function that pages, routes and actions reach, with what it takes; `signed-in`: no permission of a role. */
const guarded: Record<
  string,
  {
    needs: Permission | 'signed-in'
    /** Not found in production, whatever the role. */
    isOfLab?: true
    call: (environment: Environment) => Promise<unknown>
  }
> = {
  ...Object.fromEntries(operations),
  readOverview: { needs: 'accounts.read', call: readOverview },
  searchConsole: { needs: 'accounts.read', call: (environment) => searchConsole(environment, { q: 'a' }) },
  listCardAccounts: { needs: 'accounts.read', call: (environment) => listCardAccounts(environment, {}) },
  listMetadataKeys: { needs: 'accounts.read', call: listMetadataKeys },
  readAggregateBalances: { needs: 'accounts.read', call: (environment) => readAggregateBalances(environment, {}) },
  readCardAccount: { needs: 'accounts.read', call: (environment) => readCardAccount(environment, id) },
  listIdentities: { needs: 'accounts.read', call: (environment) => listIdentities(environment, {}) },
  readIdentityCase: { needs: 'accounts.read', call: (environment) => readIdentityCase(environment, id) },
  listTransactions: { needs: 'accounts.read', call: (environment) => listTransactions(environment, id, {}) },
  readTransaction: { needs: 'accounts.read', call: (environment) => readTransaction(environment, id, id) },
  explainBalance: { needs: 'accounts.read', call: (environment) => explainBalance(environment, id) },
  listCardProducts: { needs: 'accounts.read', call: listCardProducts },
  listIndividualLists: { needs: 'accounts.read', call: listIndividualLists },
  requireOpening: { needs: 'accounts.open', call: requireOpening },
  readCard: { needs: 'accounts.read', call: (environment) => readCard(environment, id, id) },
  revealCard: {
    needs: 'cards.reveal',
    call: (environment) => revealCard({ environment, cardAccountId: id, cardId: id, reason: 'cardholder-request' }),
  },
  readCardClock: { needs: 'accounts.read', call: readCardClock },
  readReference: { needs: 'accounts.read', call: (environment) => readReference(environment, 'cardaccount', id) },
  'readReference of a payout': {
    needs: 'payouts.read',
    call: (environment) => readReference(environment, 'payout', id),
  },
  readOperation: { needs: 'accounts.read', call: (environment) => readOperation(environment, id) },
  listApprovals: { needs: 'approvals.read', call: (environment) => listApprovals(environment, {}) },
  readWaitingApprovals: { needs: 'approvals.read', call: readWaitingApprovals },
  readApproval: { needs: 'approvals.read', call: (environment) => readApproval(environment, id) },
  decideApproval: {
    needs: 'approvals.decide',
    call: (environment) => decideApproval({ environment } as DecideApprovalInput),
  },
  withdrawApproval: {
    needs: 'approvals.read',
    call: (environment) => withdrawApproval({ environment, approvalId: id }),
  },
  sendApproved: {
    needs: 'approvals.read',
    call: (environment) => sendApproved({ environment, approvalId: id }),
  },
  readPolicy: { needs: 'policy.read', call: readPolicy },
  proposePolicy: {
    needs: 'policy.manage',
    call: (environment) => proposePolicy({ environment } as ProposePolicyInput),
  },
  decidePolicy: {
    needs: 'policy.manage',
    call: (environment) => decidePolicy({ environment, policyId: id, decision: 'confirm' }),
  },
  listAudit: { needs: 'audit.read', call: (environment) => listAudit(environment, {}) },
  listRequests: { needs: 'audit.read', call: (environment) => reads.listRequests(environment, {}) },
  readRequest: { needs: 'audit.read', call: (environment) => reads.readRequest(environment, '1') },
  readAuditIntegrity: { needs: 'signed-in', call: readAuditIntegrity },
  readAuditEntry: { needs: 'audit.read', call: (environment) => readAuditEntry(environment, '1') },
  exportList: {
    needs: 'accounts.read',
    call: async (environment) => (await exportList(environment, 'listCardAccounts', [], {})).body?.cancel(),
  },
  readConnection: { needs: 'connection.read', call: readConnection },
  listDeviations: { needs: 'connection.read', call: (environment) => listDeviations(environment, {}) },
  runConnectionCheck: { needs: 'connection.read', call: (environment) => runConnectionCheck({ environment }) },
  listStaff: { needs: 'staff.manage', call: listStaff },
  changeStaffAccess: { needs: 'staff.manage', call: () => changeStaffAccess({ act: 'staff.disable', staffId: id }) },
  inviteToDesk: { needs: 'staff.manage', call: () => inviteToDesk({ email: '', role: 'viewer' }) },
  readOwnAccount: { needs: 'signed-in', call: readOwnAccount },
  endOwnSession: { needs: 'signed-in', call: () => endOwnSession({ sessionId: id }) },
  beginEnrolment: { needs: 'signed-in', call: beginEnrolment },
  finishEnrolment: { needs: 'signed-in', call: () => finishEnrolment({ id, name: '', response: {} as never }) },
  renamePasskey: { needs: 'signed-in', call: () => renamePasskey({ id, name: 'x' }) },
  removePasskey: { needs: 'signed-in', call: () => removePasskey({ id }) },
  confirmStepUp: { needs: 'signed-in', call: () => confirmStepUp({ id, response: {} as never }) },
  readEmbedHosts: { needs: 'embeds.create', call: readEmbedHosts },
  createEmbedToken: {
    needs: 'embeds.create',
    call: (environment) => createEmbedToken({ environment } as CreateEmbedTokenInput),
  },
  readEmbedSettings: { needs: 'embeds.manage', call: readEmbedSettings },
  createEmbedKey: { needs: 'embeds.manage', call: (environment) => createEmbedKey({ environment, name: '' }) },
  revokeEmbedKey: { needs: 'embeds.manage', call: (environment) => revokeEmbedKey({ environment, keyId: id }) },
  readServiceHealth: { needs: 'signed-in', call: readServiceHealth },
  openLiveStream: {
    needs: 'accounts.read',
    call: async (environment) => {
      const stream = await openLiveStream(new Request('http://127.0.0.1:3000/api/live'), environment)
      await stream.body?.cancel()
    },
  },
  readSessionActivity: { needs: 'signed-in', call: readSessionActivity },
  noteSessionActivity: { needs: 'signed-in', call: noteSessionActivity },
  requireCurrentStaff: { needs: 'signed-in', call: requireCurrentStaff },
  listFundingAccounts: { needs: 'payouts.read', call: listFundingAccounts },
  listLedger: { needs: 'payouts.read', call: (environment) => listLedger(environment, {}) },
  listPayoutBanks: { needs: 'payouts.read', call: (environment) => listPayoutBanks(environment, 'HK') },
  readBank: { needs: 'payouts.read', call: (environment) => readBank(environment, { wireCode: 'HSBCHKHH' }) },
  readRates: { needs: 'payouts.read', call: (environment) => readRates(environment, { base: 'USD' }) },
  readRateHistory: {
    needs: 'payouts.read',
    call: (environment) => readRateHistory(environment, { base: 'USD', currency: 'HKD' }),
  },
  serviceClockForScreen: { needs: 'payouts.read', call: serviceClockForScreen },
  readPayoutOffer: { needs: 'payouts.read', call: readPayoutOffer },
  quotePayout: {
    needs: 'payouts.submit',
    call: (environment) => quotes.quotePayout({ environment } as QuotePayoutInput),
  },
  listNotes: { needs: 'accounts.read', call: (environment) => listNotes(environment, 'cardaccount', id) },
  'listNotes of a payout': { needs: 'payouts.read', call: (environment) => listNotes(environment, 'payout', id) },
  listAssignees: { needs: 'notes.write', call: listAssignees },
  addNote: { needs: 'notes.write', call: (environment) => notes.addNote({ environment } as AddNoteInput) },
  pinNote: { needs: 'notes.write', call: (environment) => notes.pinNote({ environment, noteId: id, isPinned: true }) },
  finishHandover: { needs: 'notes.write', call: (environment) => notes.finishHandover({ environment, noteId: id }) },
  listSavedViews: { needs: 'accounts.read', call: listSavedViews },
  saveView: { needs: 'accounts.read', call: (environment) => views.saveView({ environment } as SaveViewInput) },
  changeView: { needs: 'accounts.read', call: (environment) => views.changeView({ environment, viewId: id }) },
  deleteView: { needs: 'accounts.read', call: (environment) => views.deleteView({ environment, viewId: id }) },
  readMyWork: { needs: 'accounts.read', call: readMyWork },
  listFees: { needs: 'accounts.read', call: (environment) => listFees(environment, {}) },
  readFeeTotals: { needs: 'accounts.read', call: (environment) => readFeeTotals(environment, {}) },
  readFee: { needs: 'accounts.read', call: (environment) => readFee(environment, id) },
  previewWaivers: {
    needs: 'fees.waive',
    call: (environment) => waivers.previewWaivers({ environment, feeIds: [id], filters: {} }),
  },
  startWaivers: {
    needs: 'fees.waive',
    call: (environment) => waivers.startWaivers({ environment } as StartWaiversInput),
  },
  readWebhooks: { needs: 'webhooks.read', call: readWebhooks },
  readWebhookAlerts: { needs: 'webhooks.read', call: readWebhookAlerts },
  listDeliveries: { needs: 'webhooks.read', call: (environment) => listDeliveries(environment, id) },
  listInbox: { needs: 'webhooks.read', call: (environment) => listInbox(environment, {}) },
  readInboxEvent: { needs: 'webhooks.read', call: (environment) => readInboxEvent(environment, id) },
  listPayouts: { needs: 'payouts.read', call: (environment) => listPayouts(environment, {}) },
  readPayout: { needs: 'payouts.read', call: (environment) => readPayout(environment, id) },
  readPayoutToRepeat: { needs: 'payouts.submit', call: (environment) => readPayoutToRepeat(environment, id) },
  listBulkJobs: { needs: 'accounts.read', call: (environment) => listBulkJobs(environment, {}) },
  readBulkJob: { needs: 'accounts.read', call: (environment) => readBulkJob(environment, id) },
  bulkResultCsv: { needs: 'accounts.read', call: (environment) => bulkResultCsv(environment, id, {}) },
  // Of a job that there is, they need the permission of what it does: read.test.ts.
  pauseBulkJob: { needs: 'accounts.read', call: (environment) => bulk.pauseBulkJob({ environment, jobId: id }) },
  resumeBulkJob: { needs: 'accounts.read', call: (environment) => bulk.resumeBulkJob({ environment, jobId: id }) },
  cancelBulkJob: { needs: 'accounts.read', call: (environment) => bulk.cancelBulkJob({ environment, jobId: id }) },
  limitsStart: { needs: 'limits.set', call: (environment) => limitsStart(environment, {}) },
  previewLimits: { needs: 'limits.set', call: (environment) => many.previewLimits({ environment, text: '' }) },
  startLimits: { needs: 'limits.set', call: (environment) => many.startLimits({ environment } as StartLimitsInput) },
  readLabState: { needs: 'signed-in', isOfLab: true, call: readLabState },
  readLabDetails: { needs: 'sandbox.simulate', isOfLab: true, call: readLabDetails },
  readFaultEndpoints: { needs: 'sandbox.simulate', isOfLab: true, call: readFaultEndpoints },
  readExplorer: { needs: 'sandbox.simulate', isOfLab: true, call: (environment) => reads.readExplorer(environment) },
  readExplorerEndpoint: {
    needs: 'sandbox.simulate',
    isOfLab: true,
    call: (environment) => reads.readExplorerEndpoint(environment, 'none'),
  },
  readExample: {
    needs: 'sandbox.simulate',
    isOfLab: true,
    call: (environment) => reads.readExample(environment, 'none'),
  },
  listServiceRequests: {
    needs: 'sandbox.simulate',
    isOfLab: true,
    call: (environment) => reads.listServiceRequests(environment, {}),
  },
  readServiceRequest: {
    needs: 'sandbox.simulate',
    isOfLab: true,
    call: (environment) => reads.readServiceRequest(environment, id),
  },
  listScenarios: { needs: 'sandbox.simulate', isOfLab: true, call: scenarios.listScenarios },
  readScenarioRun: {
    needs: 'sandbox.simulate',
    isOfLab: true,
    call: (environment) => scenarios.readScenarioRun(environment, id),
  },
  readScenarioCase: {
    needs: 'sandbox.simulate',
    isOfLab: true,
    call: (environment) => scenarios.readScenarioCase(environment, id, '0'),
  },
  scenarioYaml: {
    needs: 'sandbox.simulate',
    isOfLab: true,
    call: (environment) => scenarios.scenarioYaml(environment, 'none'),
  },
  scenarioJunit: {
    needs: 'sandbox.simulate',
    isOfLab: true,
    call: (environment) => scenarios.scenarioJunit(environment, id),
  },
  startScenarios: {
    needs: 'sandbox.simulate',
    call: (environment) => scenarioRuns.startScenarios({ environment, runId: id }),
  },
  recordedYaml: { needs: 'sandbox.simulate', isOfLab: true, call: recordings.recordedYaml },
  recordScenario: {
    needs: 'sandbox.simulate',
    call: (environment) => recordings.recordScenario({ environment, isRecording: false }),
  },
  stopScenarios: {
    needs: 'sandbox.simulate',
    call: (environment) => scenarioRuns.stopScenarios({ environment, runId: id }),
  },
  performLabAction: {
    needs: 'sandbox.simulate',
    call: (environment) => performLabAction({ environment, action: 'none' as never, given: {} }),
  },
  sendExplorerRequest: {
    needs: 'sandbox.simulate',
    call: (environment) => sendExplorerRequest({ environment, endpoint: 'none' } as never),
  },
  resolveOperation: {
    needs: 'accounts.read',
    call: (environment) => resolveOperation({ environment, operationId: id, resolution: 'made' }),
  },
  acknowledgeWebhook: {
    needs: 'webhooks.manage',
    call: (environment) => acknowledgeWebhook({ environment, webhookId: id }),
  },
  testWebhook: { needs: 'webhooks.manage', call: (environment) => testWebhook({ environment, webhookId: id }) },
  replayDelivery: {
    needs: 'webhooks.manage',
    call: (environment) => replayDelivery({ environment, webhookId: id, eventId: id }),
  },
}

/** Reached from outside, and about no data of the program, or guarded otherwise: by a signature, a token, a key. */
const unguarded = [
  // Guarded for each kind of operation: see `operations`.
  'act',
  'serverAction',
  'forCaller',
  'backChannelLogout',
  'respondMethodNotAllowed',
  'respondNotFound',
  'respondToRead',
  'respondToEnvironmentRead',
  // Names a list; the export itself checks.
  'findExport',
  'respondToTokenRequest',
  'respondToViewRequest',
  'currentStaff',
  // Says yes or no to a load balancer, and nothing else.
  'isReady',
  // Null where the list is not permitted.
  'defaultViewQuery',
  // Runs a read, which checks its own permission.
  'auditedRead',
  'embedDocument',
  'signOut',
  'handleAuth',
  'hasLab',
  'isAppError',
  'maskedForReader',
  'latestSafePosition',
  'receiveDelivery',
  'requireLab',
  'sessionIdleMs',
  'signInChoices',
  'submitSignIn',
  'withBareFailures',
]

/** The code that a call was refused with before anything was looked at, or null. */
async function errorCodeOf(call: Promise<unknown>): Promise<string | null> {
  const code = await call.then(
    (value) => (value as { kind?: string; outcome?: { code: string } } | null)?.outcome?.code ?? null,
    (error: unknown) => {
      if (!isAppError(error)) throw error
      return error.code
    },
  )
  return code === 'NOT_SIGNED_IN' || code === 'NOT_PERMITTED' ? code : null
}

test('every function reachable from outside is in this test’s table', () => {
  const reached = new Set<string>()
  for (const file of globSync(['app/**/*.{ts,tsx}', 'lib/actions/*.ts'], { exclude: ['**/*.test.ts'] })) {
    const source = readFileSync(file, 'utf8')
    for (const [, names = ''] of source.matchAll(/(?:import|export) \{([^}]*)\} from '#lib\/console\//g)) {
      for (const name of names.split(',')) {
        const bare = name.trim().replace(/ as \w+$/, '')
        if (bare && !bare.startsWith('type ')) reached.add(bare)
      }
    }
    for (const [, name = ''] of source.matchAll(/\b(?:serverAction|withBareFailures)\(\w+\.(\w+)\)/g)) reached.add(name)
  }
  // The reads of the API and of the pages are reached by their names in one table.
  expect(reached.delete('reads')).toBe(true)
  for (const name of Object.keys(reads)) reached.add(name)
  const known = [...Object.keys(guarded), ...unguarded]
  expect([...reached].filter((name) => !known.includes(name))).toEqual([])
  expect(reached.size).toBeGreaterThan(15)
})

test('a signed-out person gets NOT_SIGNED_IN, each role what the permission table gives, from every function', async () => {
  const desk = await openConsole({ seeded: 1 })
  onTestFinished(closeLive)
  vi.stubEnv('BUILT_IN_SERVICE', 'on')
  onTestFinished(() => void vi.unstubAllEnvs())
  for (const role of [null, ...roles]) {
    await desk.signIn(role)
    const expected: Record<string, string | null> = {}
    const found: Record<string, string | null> = {}
    for (const [name, { needs, isOfLab, call }] of Object.entries(guarded)) {
      for (const environment of environments) {
        const isMissing = (isOfLab === true || needs === 'sandbox.simulate') && environment === 'production'
        const may =
          role !== null && (isMissing || needs === 'signed-in' || permissionsOf(role, environment).includes(needs))
        const refused = role === null ? 'NOT_SIGNED_IN' : 'NOT_PERMITTED'
        expected[`${name} in ${environment}`] = may ? null : refused
        found[`${name} in ${environment}`] = await errorCodeOf(call(environment))
      }
    }
    expect(found, role ?? 'signed out').toEqual(expected)
    if (role === null) expect(desk.requests.size).toBe(0)
  }
})

test('with production connected, all of the lab and every simulator is not found there, whatever the role', async () => {
  const desk = await openConsole({ seeded: 1 })
  onTestFinished(closeLive)
  const { services } = consoleSettings()
  Object.assign(services, { production: services.sandbox })
  vi.stubEnv('BUILT_IN_SERVICE', 'on')
  onTestFinished(() => void vi.unstubAllEnvs())
  const calls: [string, () => Promise<unknown>][] = [
    ...Object.entries(guarded).flatMap(([name, { needs, isOfLab, call }]): [string, () => Promise<unknown>][] =>
      isOfLab === true || needs === 'sandbox.simulate' ? [[name, () => call('production')]] : [],
    ),
    ...Object.entries(operationKinds).flatMap(([kind, { permission }]): [string, () => Promise<unknown>][] =>
      permission === 'sandbox.simulate'
        ? [[kind, () => act(kind as 'identity.simulate', { environment: 'production', operationId: id } as never)]]
        : [],
    ),
  ]
  const names = calls.map(([name]) => name)
  const ofLab = Object.entries(readPaths).flatMap(([name, path]) => (path.startsWith('lab/') ? [name] : []))
  expect(names).toEqual(expect.arrayContaining([...ofLab, 'identity.simulate']))
  for (const role of roles) {
    await desk.signIn(role)
    for (const [name, call] of calls) {
      const code = await call().then(
        (value) => (value as { outcome?: { code: string } }).outcome?.code,
        (error: { code?: string }) => error.code,
      )
      expect([role, name, code]).toEqual([role, name, 'LAB_NOT_FOUND'])
    }
  }
})

test('no role both manages staff and acts on cards', () => {
  for (const role of roles) {
    const held = permissionsOf(role, 'sandbox')
    expect(held.includes('staff.manage') && held.some((permission) => permission.startsWith('cards.'))).toBe(false)
  }
})

test('qa has nothing in production', () => {
  expect(permissionsOf('qa', 'production')).toEqual([])
})

test('identities are simulated by operations and qa, in the sandbox only', () => {
  const simulators = (environment: Environment) =>
    roles.filter((role) => permissionsOf(role, environment).includes('sandbox.simulate'))
  expect(simulators('sandbox')).toEqual(['operations', 'qa'])
  expect(simulators('production')).toEqual([])
})

test('support locks, unlocks and reveals cards, and does nothing else to them', () => {
  const cardsOf = permissionsOf('support', 'sandbox').filter((permission) => permission.startsWith('cards.'))
  expect(cardsOf).toEqual(['cards.lock', 'cards.unlock', 'cards.reveal'])
})

test('admins and operations read the connection, in both environments', () => {
  const readers = roles.filter((role) => permissionsOf(role, 'production').includes('connection.read'))
  expect(readers).toEqual(['operations', 'admin'])
})

test('a missing permission names only the roles that hold it', () => {
  expect(onlyRoles('payouts.submit')).toBe('Only Operations can do this.')
  expect(onlyRoles('cards.lock')).toBe('Only Support and Operations can do this.')
  expect(onlyRoles('sandbox.simulate', 'sandbox')).toBe('Only Operations and QA can do this.')
  expect(onlyRoles('sandbox.simulate', 'production')).toBe('Not available in production.')
  for (const permission of permissions) {
    const named = roles.filter((role) => onlyRoles(permission, 'sandbox').includes(roleNames[role]))
    expect(named, permission).toEqual(roles.filter((role) => rolePermissions[role].includes(permission)))
  }
})

test('the sign-in page describes each role as the permission table does', () => {
  expect(Object.fromEntries(roles.map((role) => [role, roleSummary(role)]))).toMatchInlineSnapshot(`
    {
      "admin": "View everything, personal data masked. Manage the approval policy and staff; manage help desk views.",
      "approver": "View everything. Manage approvals.",
      "operations": "View everything. Manage accounts, cards, payouts, fees, limits, references, identities, the QA lab and webhooks; create help desk views.",
      "qa": "View everything in the sandbox. Manage accounts, cards, payouts, fees, limits, references, identities, the QA lab and webhooks; create help desk views.",
      "support": "View everything. Lock, unlock and reveal cards; create help desk views.",
      "viewer": "View accounts, payouts and webhooks, personal data masked.",
    }
  `)
})
