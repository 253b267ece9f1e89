import { parse } from 'csv-parse/sync'
import { sql } from 'drizzle-orm'
import { beforeEach, expect, test, vi } from 'vitest'
import { findRead, type ReadName, readDefinitions } from '#lib/api/reads.ts'
import type { EndpointName } from '#lib/contract/endpoints.ts'
import { readServiceClockForScreen } from '#lib/environments/control-plane.ts'
import { readServiceHealth } from '#lib/environments/health.ts'
import { freshenInBackground } from '#lib/index/freshness.ts'
import { readingsDone } from '#lib/index/single-flight.ts'
import { notificationsWritten } from '#lib/live/publish.ts'
import { AppError } from '#lib/shared/app-error.ts'
import { cases } from '#lib/shared/testing/cases.ts'
import { listPayoutBanks, readBank } from './banks.ts'
import { explainBalance } from './card-accounts/balance-explanation.ts'
import { listCardAccounts, listMetadataKeys, readAggregateBalances, readCardAccount } from './card-accounts/list.ts'
import { readCard } from './cards/detail.ts'
import { listCardProducts } from './cards/issue.ts'
import { exportList } from './export/export.ts'
import type { ExportName } from './export/table.ts'
import { listFees, readFee } from './fees/list-fees.ts'
import { listFundingAccounts } from './funding-accounts.ts'
import { listIndividualLists } from './identity/individual.ts'
import { listIdentities, readIdentityCase } from './identity/read.ts'
import { ledgerFreshness } from './ledger/index-ledger.ts'
import { listLedger, readLedgerEntry } from './ledger/list-ledger.ts'
import { readLimitDraft } from './limits/limit-draft.ts'
import { readMyWork } from './my-work.ts'
import { readOverview } from './overview.ts'
import { payoutFreshness } from './payouts/index-payouts.ts'
import { listPayouts } from './payouts/list-payouts.ts'
import { readPayout } from './payouts/read-payout.ts'
import { readPayoutToRepeat } from './payouts/repeat-payout.ts'
import { readRateHistory } from './rates/history.ts'
import { readRates } from './rates/read.ts'
import { rateReadingsDone } from './rates/sample.ts'
import { readReference } from './references/detail.ts'
import { searchConsole } from './search/search.ts'
import { captureLog } from './testing/capture-log.ts'
import { chargeFees } from './testing/fees.ts'
import { type NonconformingCase, nonconformingCases } from './testing/nonconforming-values.ts'
import { shareConsole } from './testing/open-console.ts'
import { type Read, readProblems } from './testing/read-problems.ts'
import { type RecordedService, recordService } from './testing/recorded-service.ts'
import { readTransaction } from './transactions/detail.ts'
import { listTransactions } from './transactions/list.ts'
import { pollWebhooks } from './webhooks/poll.ts'
import { readWebhookAlerts, readWebhooks } from './webhooks/read.ts'

const desk = shareConsole({ seeded: 3 })

const environment = 'sandbox'

/** The records that the detail pages show. */
type Ids = Record<'account' | 'card' | 'transaction' | 'fee' | 'payout' | 'entry' | 'wireCode', string>

/** The data functions of the pages, by the path below /api/sandbox. */
const readers: Record<string, (ids: Ids) => Promise<unknown>> = {
  'card-accounts': () => listCardAccounts(environment, {}),
  'card-accounts?sort=name': () => listCardAccounts(environment, { sort: 'name', direction: 'asc' }),
  'card-accounts/aggregate-balances': () => readAggregateBalances(environment, { groupKey: 'region' }),
  'card-accounts/limits': () => readLimitDraft(environment, {}),
  'card-accounts/metadata-keys': () => listMetadataKeys(environment),
  'card-accounts/ID': ({ account }) => readCardAccount(environment, account),
  'card-accounts/ID/balance': ({ account }) => explainBalance(environment, account),
  'card-accounts/ID/cards/ID': ({ account, card }) => readCard(environment, account, card),
  'card-accounts/ID/transactions': ({ account }) => listTransactions(environment, account, {}),
  'card-accounts/ID/transactions/ID': ({ account, transaction }) => readTransaction(environment, account, transaction),
  'cards/products': () => listCardProducts(environment),
  overview: () => readOverview(environment),
  'my-work': () => readMyWork(environment),
  search: ({ fee }) => searchConsole(environment, { q: fee }),
  identity: () => listIdentities(environment, {}),
  'identity/lists': () => listIndividualLists(environment),
  'identity/ID': ({ account }) => readIdentityCase(environment, account),
  fees: () => listFees(environment, {}),
  'fees/ID': ({ fee }) => readFee(environment, fee),
  payouts: () => listPayouts(environment, {}),
  'payouts?direction=asc': () => listPayouts(environment, { sort: 'created', direction: 'asc' }),
  'payouts/ID': ({ payout }) => readPayout(environment, payout),
  'payouts/ID/repeat': ({ payout }) => readPayoutToRepeat(environment, payout),
  'funding-accounts': () => listFundingAccounts(environment),
  'funding-accounts/ledger': () => listLedger(environment, { pageSize: 100 }),
  'funding-accounts/ledger/ID': ({ entry }) => readLedgerEntry(environment, entry),
  rates: () => readRates(environment, { base: 'HKD' }),
  'rates/history': () => readRateHistory(environment, { base: 'HKD', currency: 'USD' }),
  'banks/countries/PH': () => listPayoutBanks(environment, 'PH'),
  banks: ({ wireCode }) => readBank(environment, { wireCode }),
  webhooks: () => readWebhooks(environment),
  'webhooks/alerts': () => readWebhookAlerts(environment),
  'references/cardaccount/ID': ({ account }) => readReference(environment, 'cardaccount', account),
  'references/card/ID': ({ card }) => readReference(environment, 'card', card),
  'references/payout/ID': ({ payout }) => readReference(environment, 'payout', payout),
  'card-accounts.csv': () => exported('listCardAccounts'),
  'card-accounts/ID/transactions.csv': ({ account }) => exported('listTransactions', account),
  'fees.csv': () => exported('listFees'),
  'payouts.csv': () => exported('listPayouts'),
  'funding-accounts/ledger.csv': () => exported('listLedger'),
  'service-clock': () => readServiceClockForScreen(environment),
  'service-health': () => readServiceHealth(environment),
}

/** Reads of what the console or the control plane has, without a response of the interface. */
const otherReads: ReadName[] = [
  'listProgramCards',
  'listProgramTransactions',
  'listDeclineReasons',
  'readTrends',
  'listNotes',
  'listAssignees',
  'listSavedViews',
  'listBulkJobs',
  'readBulkJob',
  'bulkResultCsv',
  'listUnsettled',
  'readOperation',
  'readOperationRecord',
  'listApprovals',
  'readApproval',
  'readPolicy',
  'listAudit',
  'readAuditIntegrity',
  'readAuditEntry',
  'listRequests',
  'readRequest',
  'listDeliveries',
  'readDelivery',
  'readDeliveryQueue',
  'previewReplay',
  'readFundingThresholds',
  'listInbox',
  'readInboxEvent',
  'readConnection',
  'listDeviations',
  'readEmbedHosts',
  'readEmbedSettings',
  'listStaff',
  'readOwnAccount',
  'readLabState',
  'readLabDetails',
  'readFaultEndpoints',
  'readExplorer',
  'readExplorerEndpoint',
  'readExample',
  'listServiceRequests',
  'readServiceRequest',
  'listScenarios',
  'readScenarioRun',
  'readScenarioCase',
  'scenarioJunit',
  'scenarioYaml',
  'recordedYaml',
  'readReproduction',
  'listSandboxes',
  'readSandboxRecords',
  'listSandboxWebhooks',
]

test('every read of the browser that shows a response is tried', () => {
  const tried = Object.keys(readers).map((path) => findRead(path.replace(/\?.*/, '').split('/'))?.name)
  const names = Object.keys(readDefinitions) as ReadName[]
  expect(names.filter((name) => !tried.includes(name) && !otherReads.includes(name))).toEqual([])
})

/** The rows of an export with their ids. */
async function exported(name: ExportName, ...ids: string[]): Promise<unknown> {
  const text = await (await exportList(environment, name, ids, {})).text()
  const lines = parse(text, { bom: true, relax_column_count: true, skip_empty_lines: true }) as string[][]
  const isId = (cell: string) => /^'?(17$|id_17|SOMETHING_NEW$|[0-9a-f]{8}-[0-9a-f]{4}-)/i.test(cell)
  return lines.slice(1).map((cells) => ({ id: cells.find(isId) ?? null, cells }))
}

type Indexed = { tables: string; fill: () => Promise<unknown> }

/** What the console stores of the service's responses, and the background work that does. */
const accounts: Indexed = {
  tables: 'index_accounts index_cards card_status_changes index_account_progress',
  fill: () => freshenInBackground(environment),
}
const payouts: Indexed = {
  tables: 'index_payouts payout_states index_payout_progress',
  fill: () => payoutFreshness.inBackground(environment),
}
const ledger: Indexed = {
  tables: 'index_ledger index_ledger_progress',
  fill: () => ledgerFreshness.inBackground(environment),
}
const webhooks: Indexed = {
  tables: 'webhook_polls watched_webhooks webhook_transitions webhook_samples webhook_notices',
  fill: () => pollWebhooks(environment, 0).catch(nothingIfRefused),
}
const indexes: Partial<Record<EndpointName, Indexed>> = {
  listCardAccounts: accounts,
  listCards: accounts,
  listPayouts: payouts,
  listAccountTransactions: ledger,
  listWebhooks: webhooks,
  listWebhookStats: webhooks,
  getRates: { tables: 'rate_samples rate_readings', fill: () => Promise.resolve() },
}

function nothingIfRefused(error: unknown): void {
  if (!(error instanceof AppError)) throw error
}

/** Everything in the index was read just now. */
const touchIndex = sql.raw(
  `update console.index_account_progress set as_of = now();
  update console.index_accounts set cards_read_at = now() where cards_read_at is not null;
  update console.index_payout_progress set as_of = now();
  update console.index_fee_progress set as_of = now();
  update console.index_ledger_progress set as_of = now();
  update console.webhook_polls set service_at = service_at + (now() - polled_at), polled_at = now()`,
)
const caches = [
  'RateBases',
  'CardReading',
  'RequestAllowance cards',
  'ReadingPauses',
  'CachedSums',
  'NewestTimes',
  'FundingNames',
  'LedgerAccounts',
  'ServiceHealth',
]

/** Those that the reads filled, and a case emptied. */
const emptied = new Set<string>()

function deleteFrom(tables: string) {
  return sql.raw(tables.replaceAll(/\w+ ?/g, (table) => `delete from console.${table};`))
}

/** Empties the index, and fills it with the responses as they are now. */
async function fill({ tables, fill }: Indexed): Promise<void> {
  await desk.db.execute(deleteFrom(tables))
  await fill()
  await workDone()
}

async function workDone(): Promise<void> {
  await readingsDone()
  await rateReadingsDone()
  await notificationsWritten()
}

let service: RecordedService
let log: () => string

async function read(ids: Ids, name: string): Promise<Read> {
  service.requested.length = 0
  const outcome = await (readers[name]?.(ids) ?? Promise.resolve()).then(
    (result) => ({ result, error: null }),
    (error: unknown) => ({ result: null, error }),
  )
  await workDone()
  return { ...outcome, requests: service.requested.length }
}

beforeEach(async () => {
  await desk.signIn('operations')
  service = recordService(desk)
  ;(globalThis as typeof globalThis & { carddeskServices: Map<string, unknown> }).carddeskServices = new Map([
    [environment, service.client],
  ])
  log = captureLog()
  vi.useFakeTimers({ toFake: ['Date'] })
  return () => vi.useRealTimers()
})

async function pickIds(): Promise<Ids> {
  const list = async (name: EndpointName, key: string, query: Record<string, string> = {}) => {
    const { response } = await service.client.call(name, { query } as never)
    return (response as unknown as Record<string, { id: string }[]>)[key]
  }
  const accounts = await list('listCardAccounts', 'cardaccounts')
  for (const { id: account } of accounts ?? []) {
    await chargeFees(desk, account, [12.5, 30])
    const [card] = (await list('listCards', 'cards', { cardAccountId: account })) ?? []
    const [transaction] = (await list('listCardAccountTransactions', 'transactions', { cardAccountId: account })) ?? []
    if (!card || !transaction) continue
    const [fee] = (await list('listFees', 'fees')) ?? []
    const [payout] = (await list('listPayouts', 'payouts')) ?? []
    const [entry] = (await list('listAccountTransactions', 'transactions')) ?? []
    if (!fee || !payout || !entry) throw new Error('the seed has no fee, payout or ledger entry')
    const found = { transaction: transaction.id, fee: fee.id, payout: payout.id, entry: entry.id }
    return { account, card: card.id, ...found, wireCode: 'HSBCHKHH' }
  }
  throw new Error('the seed has no account with a card and a transaction')
}

/** Reads that depend on an endpoint without requesting it: from what the console has stored. */
const readsIndexOf: Partial<Record<EndpointName, string[]>> = {
  getRates: ['rates/history'],
  listWebhooks: ['webhooks/alerts'],
  listWebhookStats: ['webhooks/alerts'],
  listCards: ['references/card/ID'],
}

async function arrange(name: EndpointName | null): Promise<void> {
  // The clock is frozen during a case, so that a slow machine starts no second sync.
  vi.setSystemTime(performance.timeOrigin + performance.now())
  for (const cache of caches) {
    if (Object.hasOwn(globalThis, `carddesk${cache}`)) emptied.add(cache)
    Reflect.deleteProperty(globalThis, `carddesk${cache}`)
  }
  const index = name === null ? undefined : indexes[name]
  await desk.db.execute(touchIndex)
  if (index) await fill(index)
}

/** The usual results, and the reads that depend on each endpoint. */
async function readUsually(ids: Ids): Promise<Map<EndpointName, string[]>> {
  const readersOf = new Map<EndpointName, string[]>()
  for (const name of Object.keys(readers)) {
    for (const { tables } of Object.values(indexes)) await desk.db.execute(deleteFrom(tables))
    await arrange(null)
    if (name === 'references/card/ID') await fill(accounts)
    const { error } = await read(ids, name)
    if (error !== null) throw error
    for (const endpoint of new Set(service.requested)) {
      readersOf.set(endpoint, [...(readersOf.get(endpoint) ?? readsIndexOf[endpoint] ?? []), name])
    }
  }
  return readersOf
}

/** What is wrong with the reads of an endpoint while some of its fields are nonconforming. */
async function problemsWith(
  name: EndpointName,
  changed: readonly NonconformingCase[],
  usual: ReadonlyMap<string, Read>,
  ids: Ids,
): Promise<string[]> {
  const restore = (text: string) => changed.reduce((given, one) => one.restore(given), text)
  service.replay((endpoint, body) => {
    if (endpoint === name) for (const { change } of changed) change(body)
    return body
  }, restore)
  const logged = log().length
  await arrange(name)
  const allowance = {
    mayThrow: changed.some(({ mayThrow }) => mayThrow),
    lost: changed.some(({ lost }) => lost === 'all') ? ('all' as const) : changed.flatMap(({ lost }) => lost),
    restore,
  }
  const problems: string[] = []
  for (const [reader, usualRead] of usual) {
    const found = readProblems(usualRead, await read(ids, reader), allowance)
    problems.push(...found.map((problem) => `${reader}: ${problem}`))
  }
  service.replay((_, body) => body)
  const failures = log()
    .slice(logged)
    .split('\n')
    .filter((line) => line.includes('unexpected failure'))
  return [...problems, ...failures.filter((line) => !line.includes('The list of')).map((line) => `logs ${line}`)]
}

/** Of cases in a fixed order that many, spread over all of them. */
function spread<Item>(items: readonly Item[], count: number): Item[] {
  const step = Math.max(1, items.length / count)
  return items.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step))
}

const atOnce = 12

/**
 * Cases to try together, for time: nonconforming values of some fields that are not within each other. A case that may be refused, or
 * loses a record, is tried by itself; `npm run suites:full` tries each by itself.
 */
function groupsOf(all: readonly NonconformingCase[]): NonconformingCase[][] {
  const groups: NonconformingCase[][] = []
  for (const one of all) {
    const isAlone = one.mayThrow || one.lost.length > 0 || cases(1) > 1
    const fits = (group: readonly NonconformingCase[]) =>
      group.length < atOnce && group.every(({ path }) => !path.startsWith(one.path) && !one.path.startsWith(path))
    const group = isAlone ? undefined : groups.find((group) => group.every(({ mayThrow }) => !mayThrow) && fits(group))
    if (group) group.push(one)
    else groups.push([one])
  }
  return groups
}

test('with any value in one field of a response, every page shows the rest and invents nothing', async () => {
  await desk.service.call('createWebhook', { body: { url: 'https://hooks.example/one', events: ['*'] } })
  const ids = await pickIds()
  const readersOf = await readUsually(ids)
  const found: string[] = []
  let tried = 0
  for (const [name, dependent] of readersOf) {
    const all = nonconformingCases(name, service.bodiesOf(name))
    await arrange(name)
    const usual = new Map<string, Read>()
    for (const reader of dependent) usual.set(reader, await read(ids, reader))
    expect(await problemsWith(name, [], usual, ids), name).toEqual([])
    for (const group of groupsOf(spread(all, cases(all.length)))) {
      tried += group.length
      const problems = await problemsWith(name, group, usual, ids)
      if (problems.length > 0) found.push([...group.map(({ title }) => title), ...problems].join('\n  '))
    }
  }
  expect(found).toEqual([])
  expect(tried).toBeGreaterThan(Math.min(1500, cases(1500)))
  expect(caches.filter((cache) => !emptied.has(cache))).toEqual([])
})
