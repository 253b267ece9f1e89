import { randomUUID } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { actionDefinition, type ActionName, actionNames } from '#lib/api/actions.ts'
import { findReadDefinition, readDefinitions, type ReadName } from '#lib/api/reads.ts'
import { listPermissions, roles, type Role } from '#lib/auth/permissions.ts'
import { type ExportName, exportTable } from '#lib/console/export/table.ts'
import { leastNeeds, type Needs, readPageNeeds } from '#lib/console/testing/page-needs.ts'
import { environments, type Environment } from '#lib/shared/routes.ts'
import { setPolicy } from './approval-policy.ts'
import { expect, test } from './fixtures.ts'
import { isFull } from './full-run.ts'
import { helpDesk, sign } from './help-desk.ts'
import { actionHeaders, sendAction, serverActionIds } from './server-actions.ts'
import { serverOfWorker } from './server-of-worker.ts'
import { linkBuildWithoutProxy, startServer, unlinkBuildWithoutProxy, type StartedServer } from './server.ts'
import { createServiceCaller, type ServiceCaller } from './service-caller.ts'
import { signInCookie } from './sign-in-by-cookie.ts'

const pages = readPageNeeds()

/** Every other route than the reads, by its folder below app/api. */
const apiRoutes: Record<string, Needs> = {
  health: 'nothing',
  'health/live': 'nothing',
  'health/ready': 'nothing',
  'session/activity': 'session',
  'staff/current': 'session',
  '[environment]/live': 'accounts.read',
}

/**
 * The entry of the reads, and the routes that no session opens: next-auth's own, the inbox and the provider's sign-out (a signature),
 * and those of embedded views (a help desk's key, a token).
 */
const otherRoutes = [
  '[...path]',
  'auth/[...nextauth]',
  'embed/tokens',
  'embed/requests',
  'embed/view',
  'session/back-channel-logout',
  'webhooks/inbox/[environment]',
]

/** The server actions that the build has to export: the entry of every action, and the form of the sign-in page. */
const exportedNames = ['runAction', 'signIn']

/** Every action with what it needs; where that depends on a field, once for each of its values. */
const actions = actionNames.flatMap((name) => {
  const { needs, lab } = actionDefinition(name)
  if (typeof needs === 'string') return [{ name, needs, lab, field: {} }]
  return Object.entries(needs.of).map(([value, each]) => ({
    name,
    needs: each,
    lab,
    field: { [needs.by]: value },
  }))
})

/*
 * Every role and no session × every page, route and server action × an object that there is, one that belongs elsewhere and one
 * that does not exist, over HTTP, against their definitions: at a server as it is, and at one that never runs `proxy.ts`.
 */

const root = path.join(import.meta.dirname, '..')
const people = [null, ...roles] as const
type Person = Role | null
type Objects = Record<string, string>

const unknownId = randomUUID()
const baseURL = serverOfWorker()?.url ?? ''

/** The folders below `folder` that have this file: one each page or route. */
function foldersWith(file: string, folder: string): string[] {
  return globSync(`**/${file}`, { cwd: path.join(root, folder) }).map((found) =>
    path.dirname(found).replace(/^\.$/, ''),
  )
}

test('every route and server action is tried, and the sign-in and the redirects are all that is open', () => {
  expect(foldersWith('route.ts', 'app/api').toSorted()).toEqual([...Object.keys(apiRoutes), ...otherRoutes].toSorted())
  const exported = globSync('lib/actions/*.ts', { cwd: root }).flatMap((file) =>
    [...readFileSync(path.join(root, file), 'utf8').matchAll(/^export (?:async function|const) (\w+)/gm)].map(
      ([, name]) => name,
    ),
  )
  expect(exported.toSorted()).toEqual(exportedNames)
  const open = Object.keys(pages).filter((folder) => pages[folder] === 'nothing')
  expect(open).toEqual(['', 'settings/[page]', 'sign-in'])
})

/** `page alone`: as the router requests it, without the layouts around it. */
type Kind = 'page' | 'page alone' | 'api'
/** Where the definitions are tried. */
type Console = { url: string; hasProxy: boolean; service: ServiceCaller; people: readonly Person[] }

test('pages and routes: each role gets exactly the objects that its permissions open', async ({ service }) => {
  test.setTimeout(600_000)
  await checkPagesAndRoutes({ url: baseURL, hasProxy: true, service, people })
})

test('server actions: each role may do exactly what the definitions say', async () => {
  test.setTimeout(300_000)
  await checkServerActions(baseURL, people)
})

test.describe('without proxy.ts', () => {
  let server: StartedServer
  // Who may do least; `npm run e2e:full` tries everybody.
  const those = isFull ? people : people.slice(0, 2)

  test.beforeAll(async () => {
    test.setTimeout(120_000)
    server = await startServer({
      settings: { ...linkBuildWithoutProxy(), SANDBOX_RATE_LIMIT_PER_MINUTE: '0', TRUSTED_PROXY_HOPS: '1' },
    })
  })
  test.afterAll(async () => {
    await server?.stop()
    unlinkBuildWithoutProxy()
  })

  test('pages and routes refuse the same people', async () => {
    test.setTimeout(600_000)
    const service = createServiceCaller(server.access)
    await checkPagesAndRoutes({ url: server.url, hasProxy: false, service, people: those })
  })

  test('server actions refuse the same people', async () => {
    test.setTimeout(300_000)
    await checkServerActions(server.url, those)
  })

  // Here, where the data is no other test's, an action may have its effect.
  test('server actions act on own objects, and on none that is foreign or unknown', async () => {
    test.setTimeout(180_000)
    const { own, foreign } = await objectsOfActions(server)
    const unknown = Object.fromEntries(Object.keys(own).map((name) => [name, unknownId]))
    const cookie = await signInCookie(server.url, 'operations')
    const expected: Record<string, string> = {}
    const found: Record<string, string> = {}
    for (const [name, inputOf, isOnlyRefused] of objectActions) {
      for (const [which, objects] of Object.entries({ foreign, unknown, own })) {
        if (isOnlyRefused && which === 'own') continue
        const input = { environment: 'sandbox', operationId: randomUUID(), ...inputOf(objects) }
        const text = await sendAction(server.url, cookie, name, input, callerAddress)
        expected[`${name} ${which}`] = which === 'own' ? 'done' : 'refused'
        found[`${name} ${which}`] = outcomeIn(text)
      }
    }
    expect(found).toEqual(expected)
  })
})

/** What an action on one object is given. `isOnlyRefused`: the own object is in no state in which the action is possible. */
const objectActions: readonly [name: ActionName, inputOf: (objects: Objects) => object, isOnlyRefused?: true][] = [
  ['card.lock', ({ cardAccountId, cardId }) => ({ cardAccountId, cardId, reason: 'suspected-fraud' })],
  ['card.suspend', ({ cardAccountId, cardId }) => ({ cardAccountId, cardId, reason: 'suspected-fraud' })],
  ['revealCard', ({ cardAccountId, cardId }) => ({ cardAccountId, cardId, reason: 'cardholder-request' })],
  [
    'account.set-limit',
    ({ accountId, limit }) => ({
      cardAccountId: accountId,
      limit: '4400',
      limitBefore: Number(limit) || null,
      reason: 'credit-review',
    }),
  ],
  ['fee.waive', ({ feeId }) => ({ feeId, reason: 'goodwill' })],
  ['testWebhook', ({ webhookId }) => ({ webhookId })],
  [
    'addNote',
    ({ accountId }) => ({ noteId: randomUUID(), targetType: 'cardaccount', targetId: accountId, text: 'A note.' }),
  ],
  ['changeView', ({ viewId }) => ({ viewId, name: 'Renamed' })],
  ['endOwnSession', ({ sessionId }) => ({ sessionId })],
  ['pinNote', ({ noteId }) => ({ noteId, isPinned: true }), true],
  ['takeHandover', ({ noteId }) => ({ noteId }), true],
  ['finishHandover', ({ noteId }) => ({ noteId }), true],
  ['pauseBulkJob', ({ jobId }) => ({ jobId }), true],
  ['resumeBulkJob', ({ jobId }) => ({ jobId }), true],
  ['cancelBulkJob', ({ jobId }) => ({ jobId }), true],
  ['withdrawApproval', ({ approvalId }) => ({ approvalId }), true],
  ['sendApproved', ({ approvalId }) => ({ approvalId }), true],
  ['resolveOperation', ({ approvalId }) => ({ operationId: approvalId, resolution: 'made' }), true],
  ['webhook.remove', ({ webhookId }) => ({ webhookId, confirmQueued: 0 }), true],
  ['replayDelivery', ({ webhookId, eventId }) => ({ webhookId, eventId }), true],
  ['replaySince', ({ webhookId }) => ({ webhookId, since: '2026-01-01T00:00:00Z' }), true],
  ['retryDelivery', ({ webhookId }) => ({ webhookId }), true],
  ['skipDelivery', ({ webhookId, eventId }) => ({ webhookId, eventId }), true],
  ['setFundingThreshold', ({ accountId }) => ({ accountId, kind: 'amount', value: '1' }), true],
  ['acknowledgeWebhook', ({ webhookId }) => ({ webhookId }), true],
]

/** A card is revealed to an IPv4 address. */
const callerAddress = { 'x-forwarded-for': '203.0.113.7' }

/** Own objects of Operations; foreign ones are another account's card, another kind's record, or another person's. */
async function objectsOfActions({ url, access }: StartedServer): Promise<{ own: Objects; foreign: Objects }> {
  const service = createServiceCaller(access)
  const { own, foreign } = await findObjects(service, url)
  const { cardAccountId = '', cardId = '' } = own
  const { body } = await service.get('/fees', { pageSize: '100' })
  const fees = (body as { fees: { id: string; intent: string }[] }).fees
  const ofRole = async (role: Role) => {
    const cookie = await signInCookie(url, role)
    // The one that the other leaves open.
    await signInCookie(url, role)
    const viewId = randomUUID()
    const view = {
      environment: 'sandbox',
      viewId,
      list: 'fees',
      name: role,
      query: 'intent=a',
      columns: [],
      isDefault: false,
    }
    expect(await sendAction(url, cookie, 'saveView', view)).toContain('"kind":"saved"')
    const { sessions } = await readAs<{ sessions: { id: string; isCurrent: boolean }[] }>(url, cookie, 'own-account')
    return { viewId, sessionId: sessions.find(({ isCurrent }) => !isCurrent)?.id ?? '' }
  }
  const { account } = await readAs<AccountOnWire>(
    url,
    await signInCookie(url, 'operations'),
    `card-accounts/${cardAccountId}`,
  )
  return {
    own: {
      ...own,
      accountId: cardAccountId,
      limit: String(account.limit),
      feeId: fees.find(({ intent }) => intent === 'test-fee')?.id ?? '',
      noteId: '',
      ...(await ofRole('operations')),
    },
    foreign: { ...foreign, cardAccountId, accountId: cardId, noteId: cardId, limit: '0', ...(await ofRole('support')) },
  }
}

function outcomeIn(text: string): string {
  // Any other field that is wrong is a mistake of the row above: it would be refused for every object.
  const isNoSuchObject = /"kind":"invalid".*"fields":\{"\w+Id":"is (no|not a) [^"]*"\}/s.test(text)
  if (isNoSuchObject || /"kind":"refused"|"state":"refused"/.test(text)) return 'refused'
  return /"kind":"(saved|sent|revealed|done)"|"state":"done"/.test(text) ? 'done' : text.slice(0, 300)
}

const targets = [
  ...(['page', 'page alone'] as const).flatMap((kind) =>
    Object.entries(pages).map(([folder, needs]) => ({ kind, folder, needs, search: '' })),
  ),
  ...[
    ...(Object.keys(readDefinitions) as ReadName[]).map((name) => readTarget(name)),
    ...(Object.keys(exportTable) as ExportName[]).map((name) => readTarget(name, '.csv', '?zone=UTC')),
    ...Object.entries(apiRoutes).map(([folder, needs]) => ({ folder, needs, search: '' })),
  ].map((target) => ({ kind: 'api' as const, ...target })),
]

function readTarget(name: ReadName, ending = '', search = findReadDefinition(name).example ?? '') {
  return { folder: `[environment]/${findReadDefinition(name).path}${ending}`, needs: leastNeeds(name), search }
}

function addressOf(
  url: string,
  { kind, folder, search }: { kind: Kind; folder: string; search: string },
  objects: Objects,
): string {
  return `${url}${kind === 'api' ? '/api' : ''}/${fill(folder, objects)}${search}`
}

async function checkPagesAndRoutes({ url, hasProxy, service, people }: Console): Promise<void> {
  // The proxy alone gives pages their policy.
  expect((await fetch(`${url}/sign-in`)).headers.has('content-security-policy')).toBe(hasProxy)
  const { own, foreign } = await findObjects(service, url)
  const unknown = Object.fromEntries(Object.keys(own).map((name) => [name, unknownOf(name)]))
  const expected: Record<string, number> = {}
  const found: Record<string, number> = {}
  const all = environments.flatMap((environment) =>
    targets
      .filter(({ kind }) => kind !== 'page alone' || !hasProxy)
      .flatMap((target) => objectsFor(target.folder, environment).map((which) => ({ ...target, environment, which }))),
  )
  for (const person of people) {
    const cookie = person === null ? '' : await signInCookie(url, person)
    const requests = all.filter(({ needs, environment }, place) => isTried(person, needs, environment, place))
    const check = async ({ kind, folder, needs, search, environment, which }: (typeof requests)[number]) => {
      const objects = { ...{ own, foreign, unknown }[which], environment }
      const address = addressOf(url, { kind, folder, search }, objects)
      const key = `${person ?? 'nobody'} ${kind} ${folder} ${environment} ${which}`
      expected[key] = expectedStatus(kind, needs, person, environment, folder, which, hasProxy)
      found[key] =
        kind === 'page alone'
          ? await statusAlone(address, cookie, routerState(folder, objects))
          : await statusOf(address, cookie)
    }
    const { exports = [], others = [] } = Object.groupBy(requests, ({ folder }) =>
      folder.endsWith('.csv') ? 'exports' : 'others',
    )
    await inParallel(others, 6, check)
    // The console makes three exports at once.
    await inParallel(exports, 3, check)
  }
  expect(Object.keys(found).length).toBeGreaterThan(all.length)
  expect(differences(expected, found)).toEqual({})
}

async function checkServerActions(url: string, people: readonly Person[]): Promise<void> {
  expect(Object.keys(serverActionIds()).toSorted()).toEqual(exportedNames)
  const expected: Record<string, string> = {}
  const found: Record<string, string> = {}
  for (const person of people) {
    const cookie = person === null ? '' : await signInCookie(url, person)
    for (const { name, needs, field, lab } of actions) {
      for (const environment of environments) {
        const key = `${person ?? 'nobody'} ${name} ${JSON.stringify(field)} ${environment}`
        const { isGlobal } = actionDefinition(name)
        const may = mayDo(needs, person, isGlobal ? 'sandbox' : environment)
        const isOfLab = (needs === 'sandbox.simulate' || lab !== undefined) && environment === 'production'
        const refused = isOfLab ? 'LAB_NOT_FOUND' : 'NOT_PERMITTED'
        expected[key] = may ? 'let in' : person === null ? 'NOT_SIGNED_IN' : refused
        found[key] = await callAction(url, cookie, name, { ...inputOf(environment), ...field })
      }
    }
  }
  expect(differences(expected, found)).toEqual({})
}

test('a note and a bulk job of the sandbox are none in production, for who may act in both', async ({ service }) => {
  test.setTimeout(180_000)
  const { own } = await findObjects(service, baseURL)
  const { jobId = '', cardAccountId = '' } = own
  const cookie = await signInCookie(baseURL, 'operations')
  const noteId = randomUUID()
  const act = (environment: Environment, name: ActionName, input: object) =>
    sendAction(baseURL, cookie, name, { environment, ...input })
  const record = { targetType: 'cardaccount', targetId: cardAccountId }
  const added = await act('sandbox', 'addNote', {
    noteId,
    ...record,
    text: 'A note.',
    handover: { role: 'operations' },
  })
  expect(added).toContain('"kind":"saved"')
  const noNote = '"noteId":"is not a note of this environment"'
  const noJob = '"code":"BULK_JOB_NOT_FOUND"'
  const refused: [ActionName, object, string][] = [
    ['pinNote', { noteId, isPinned: true }, noNote],
    ['takeHandover', { noteId }, noNote],
    ['finishHandover', { noteId }, noNote],
    ['pauseBulkJob', { jobId }, noJob],
    ['resumeBulkJob', { jobId }, noJob],
    ['cancelBulkJob', { jobId }, noJob],
  ]
  const refusedIn = async (environment: Environment) => {
    const found: [ActionName, boolean][] = []
    for (const [name, input, wrong] of refused)
      found.push([name, (await act(environment, name, input)).includes(wrong)])
    return found.filter(([, isRefused]) => isRefused).map(([name]) => name)
  }
  expect(await refusedIn('production')).toEqual(refused.map(([name]) => name))
  type Notes = { notes: { id: string }[] }
  const { notes } = await readAs<Notes>(baseURL, cookie, `notes/cardaccount/${cardAccountId}`)
  expect(notes.find(({ id }) => id === noteId)).toMatchObject({
    isPinned: false,
    handover: { taken: null, done: null },
  })
  for (const address of [`bulk-jobs/${jobId}`, `bulk-jobs/${jobId}/csv`]) {
    expect(await statusOf(`${baseURL}/api/production/${address}`, cookie), address).toBe(404)
    expect(await statusOf(`${baseURL}/api/sandbox/${address}`, cookie), address).toBe(200)
  }
  expect(await refusedIn('sandbox'), 'they are there').toEqual([])
})

test('no page and no read shows a viewer a phone number, an e-mail address or a bank account in full', async ({
  service,
}) => {
  test.setTimeout(120_000)
  const { own } = await findObjects(service, baseURL)
  const personal = await personalData(service, own)
  expect(personal.length).toBeGreaterThan(50)
  /** The pages and reads that hold one of them. */
  const showing = async (role: Role) => {
    const cookie = await signInCookie(baseURL, role)
    const found: string[] = []
    // A stream of changes has no end, and names no data.
    const finite = targets.filter(({ kind, folder }) => kind !== 'page alone' && !folder.endsWith('/live'))
    await inParallel(finite, 6, async (target) => {
      const address = addressOf(baseURL, target, { ...own, environment: 'sandbox' })
      const text = await (await fetch(address, { headers: { cookie }, redirect: 'manual' })).text()
      if (personal.some((value) => text.includes(value))) found.push(`${target.kind} ${target.folder}`)
    })
    return found
  }
  expect(await showing('viewer')).toEqual([])
  const read = ['card-accounts', 'card-accounts/[cardAccountId]', 'identity/[cardAccountId]', 'payouts/[payoutId]']
  expect(await showing('operations')).toEqual(
    expect.arrayContaining(read.flatMap((path) => ['page', 'api'].map((kind) => `${kind} [environment]/${path}`))),
  )
})

test('the token of an embedded view, as bearer or cookie, opens no page, read, export or action', async ({
  service,
}) => {
  test.setTimeout(180_000)
  const { own } = await findObjects(service, baseURL)
  const object = {
    environment: 'sandbox',
    type: 'card',
    id: own.cardId ?? '',
    cardAccountId: own.cardAccountId ?? '',
  } as const
  const ticketOrigin = { agent: { name: 'Kim Lee', email: 'kim@help.example.com' }, ticket: '1' }
  const creator = { kind: 'key', id: '5d1c7a52-0000-4000-8000-0000000000ee' } as const
  const token = await sign(object, { creator, ticketOrigin })
  const cookie = ['next-auth.session-token', '__Secure-next-auth.session-token', 'token'].map(
    (name) => `${name}=${token}`,
  )
  const headers = { authorization: `Bearer ${token}`, 'x-carddesk-host': helpDesk, cookie: cookie.join('; ') }
  const view = new URLSearchParams({
    environment: 'sandbox',
    type: 'card',
    id: object.id,
    cardAccountId: object.cardAccountId,
  })
  expect((await fetch(`${baseURL}/api/embed/view?${view}`, { headers })).status, 'the token is right').toBe(200)
  const expected: Record<string, number | string> = {}
  const found: Record<string, number | string> = {}
  for (const environment of environments) {
    const tried = targets.filter(({ kind, needs }) => kind !== 'page alone' && needs !== 'nothing')
    await inParallel(tried, 6, async ({ kind, folder, needs, search }) => {
      const key = `${kind} ${folder} ${environment}`
      const address = addressOf(baseURL, { kind, folder, search }, { ...own, environment })
      expected[key] = expectedStatus(kind, needs, null, environment, folder, 'own', true)
      const response = await fetch(address, { headers, redirect: 'manual' })
      await response.arrayBuffer()
      found[key] = response.status
    })
    for (const { name, field } of actions) {
      const key = `${name} ${JSON.stringify(field)} ${environment}`
      const text = await sendAction(baseURL, '', name, { ...inputOf(environment), ...field }, headers)
      expected[key] = 'NOT_SIGNED_IN'
      found[key] = /"code":"(\w+)"/.exec(text)?.[1] ?? text.slice(0, 100)
    }
  }
  // Another token is made with the help desk's key alone.
  expect((await fetch(`${baseURL}/api/embed/tokens`, { method: 'POST', headers, body: '{}' })).status).toBe(401)
  expect(Object.keys(found).length).toBeGreaterThan(200)
  expect(differences(expected, found)).toEqual({})
})

test('a server action from another origin is refused before it runs', async () => {
  const cookie = await signInCookie(baseURL, 'operations')
  const response = await fetch(`${baseURL}/sandbox`, {
    method: 'POST',
    headers: { ...actionHeaders(cookie), origin: 'https://evil.example' },
    body: JSON.stringify(['card.lock', inputOf('sandbox')]),
    redirect: 'manual',
  })
  expect(response.status).toBe(403)
  expect(await response.text()).not.toContain('"kind"')
})

/**
 * Everybody who has to be refused tries everything. What a role may open is opened by one of the roles that may, in turn: to
 * render a page for each of them takes minutes. `npm run e2e:full` does.
 */
function isTried(person: Person, needs: Needs, environment: Environment, place: number): boolean {
  if (isFull || person === null || !mayDo(needs, person, environment)) return true
  const permitted = roles.filter((role) => mayDo(needs, role, environment))
  return permitted[place % permitted.length] === person
}

function mayDo(needs: Needs, person: Person, environment: Environment): boolean {
  if (needs === 'nothing') return true
  if (person === null) return false
  return needs === 'session' || listPermissions(person, environment).includes(needs)
}

/** Objects by name, where the address has one; production has none at all, since it is not connected. */
function objectsFor(folder: string, environment: Environment): ('own' | 'foreign' | 'unknown')[] {
  if (!folder.includes('[environment]')) return environment === 'sandbox' ? ['own'] : []
  const hasObject = /\[(?!environment|list|countryCode|type\b)\w+\]/.test(folder)
  return hasObject ? ['own', 'foreign', 'unknown'] : ['own']
}

/** What has to come: 401 or the sign-in page, 403, 404, or the thing itself. */
function expectedStatus(
  kind: Kind,
  needs: Needs,
  person: Person,
  environment: Environment,
  folder: string,
  which: 'own' | 'foreign' | 'unknown',
  hasProxy: boolean,
): number {
  if (folder === '' || folder.startsWith('settings/')) return 307
  // The frame of production, which is not connected, shows no page. The proxy makes this one a 404 nevertheless.
  if (hasNoLab(folder, environment) && (kind === 'page' ? hasProxy : person !== null)) return 404
  if (!mayDo(needs, person, environment)) {
    if (person === null) return kind === 'api' ? 401 : 307
    return kind === 'api' ? 403 : (productionPage(kind, environment) ?? 403)
  }
  // A signed-in person needs no sign-in page.
  if (folder === 'sign-in') return person === null ? 200 : 307
  if (environment === 'production') return productionPage(kind, environment) ?? productionRead(folder, which)
  return which === 'own' ? 200 : 404
}

/** The QA lab exists in the sandbox alone: elsewhere it is not found, whatever the role. */
function hasNoLab(folder: string, environment: Environment): boolean {
  return environment === 'production' && folder.startsWith('[environment]/lab')
}

/** The frame says that production is not connected, with every status a page may have. */
function productionPage(kind: Kind, environment: Environment): number | null {
  return kind === 'page' && environment === 'production' ? -1 : null
}

/** What the console itself has of an environment that is not connected; everything else is 409. */
function productionRead(folder: string, which: string): number {
  const ofConsole = /(audit|bulk-jobs|operations|inbox|service-health|webhooks|live|session|exports|embed)/
  if (!ofConsole.test(folder)) return -1
  return which === 'own' ? -1 : 404
}

/** -1 accepts every error and every read of nothing, since no object of the sandbox can be in it. */
function differences(expected: Record<string, unknown>, found: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(found).flatMap(([key, value]) => {
      const wanted = expected[key]
      const isRight = wanted === -1 ? [200, 403, 404, 409].includes(Number(value)) : wanted === value
      return isRight ? [] : [[key, { expected: wanted, found: value }]]
    }),
  )
}

function fill(folder: string, values: Objects): string {
  return folder.replaceAll(/\[(\w+)\]/g, (_, name: string) => encodeURIComponent(values[name] ?? 'none'))
}

function unknownOf(name: string): string {
  const fixed: Objects = {
    number: '999999999',
    logId: '999999999',
    countryCode: 'HK',
    type: 'card',
    record: 'account',
    position: '0',
  }
  return fixed[name] ?? unknownId
}

/** The status. Only a stream of changes, which has no end, is broken off: fetch then opens a connection that it may use too late. */
async function statusOf(url: string, cookie: string): Promise<number> {
  const stopping = new AbortController()
  const response = await fetch(url, { headers: { cookie }, redirect: 'manual', signal: stopping.signal })
  if (url.endsWith('/live')) stopping.abort()
  else await response.arrayBuffer()
  return response.status
}

/** The state in which a router has everything around the page already, and requests the page alone. */
function routerState(folder: string, objects: Objects): string {
  const segments = folder.split('/').filter(Boolean)
  const ofPage: unknown = ['__PAGE__', {}, null, 'refetch']
  const below = segments.reduceRight((children, segment) => {
    const name = /^\[(\w+)\]$/.exec(segment)?.[1]
    return [name ? [name, encodeURIComponent(objects[name] ?? 'none'), 'd', null] : segment, { children }]
  }, ofPage)
  return encodeURIComponent(JSON.stringify(['', { children: below }]))
}

/** The status that a page has in the response to a router, which is itself a 200. */
async function statusAlone(url: string, cookie: string, state: string): Promise<number> {
  const headers = { cookie, rsc: '1', 'next-router-state-tree': state }
  // Leads to the URL with a digest of these headers.
  const response = await fetch(url, { headers })
  const text = await response.text()
  if (response.status !== 200) return response.status
  const refused = /"(?:NEXT_HTTP_ERROR_FALLBACK;(\d+)|NEXT_REDIRECT;[^"]+;(\d+);)"/.exec(text)
  return Number(refused?.[1] ?? refused?.[2] ?? 200)
}

async function inParallel<Item>(items: readonly Item[], atOnce: number, work: (item: Item) => Promise<void>) {
  const waiting = items.values()
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const item of waiting) await work(item)
    }),
  )
}

/** An object of each kind that there is, and one of the same kind that belongs to another account, or is of another kind. */
async function findObjects(service: ServiceCaller, baseURL: string): Promise<{ own: Objects; foreign: Objects }> {
  const first = async (list: string, query: Record<string, string>, key: string) => {
    const { body } = await service.get(list, { pageSize: '100', ...query })
    return (body as Record<string, { id: string; accountType?: string }[]>)[key] ?? []
  }
  const accounts = await first('/cardaccounts', {}, 'cardaccounts')
  const owners: { account: string; card: string; transaction: string }[] = []
  for (const { id, accountType } of accounts) {
    // Only a credit account has a limit to set.
    if (accountType !== 'credit') continue
    const [card] = await first('/cards', { cardAccountId: id }, 'cards')
    const [transaction] = await first('/cardaccounts/transactions', { cardAccountId: id }, 'transactions')
    if (card && transaction) owners.push({ account: id, card: card.id, transaction: transaction.id })
    if (owners.length === 2) break
  }
  const [mine, others] = owners
  const [fee] = await first('/fees', {}, 'fees')
  const [payout] = await first('/payouts', {}, 'payouts')
  const [entry] = await first('/accounts/transactions', {}, 'transactions')
  if (!mine || !others || !fee || !payout || !entry) throw new Error('the seed has too little to test access with')
  const approvalId = await makeApproval(baseURL, mine.account)
  const { number, logId, jobId, operationId, eventId, requestId, runId } = await makeConsoleObjects(
    service,
    baseURL,
    mine.account,
    fee.id,
  )
  const { webhookId, attemptId } = await firstAttempt(service, baseURL)
  const fixed = { countryCode: 'HK', type: 'card', record: 'account', position: '0', page: 'staff' }
  const own = {
    ...fixed,
    runId,
    name: 'identity-approved',
    cardAccountId: mine.account,
    cardId: mine.card,
    transactionId: mine.transaction,
    id: mine.card,
    recordId: mine.account,
    feeId: fee.id,
    payoutId: payout.id,
    entryId: entry.id,
    webhookId,
    attemptId,
    number,
    logId,
    jobId,
    operationId,
    approvalId,
    eventId,
    endpoint: 'ping',
    requestId,
  }
  const foreign = {
    ...fixed,
    runId: payout.id,
    cardAccountId: mine.card,
    cardId: others.card,
    transactionId: others.transaction,
    id: mine.account,
    recordId: mine.card,
    feeId: payout.id,
    payoutId: fee.id,
    entryId: payout.id,
    webhookId: payout.id,
    attemptId: '0',
    number: '0',
    logId: '0',
    jobId: payout.id,
    operationId: fee.id,
    // An operation that needed no approval.
    approvalId: operationId,
    eventId: mine.account,
    endpoint: 'pong',
    requestId: payout.id,
  }
  return { own, foreign }
}

/** An attempt at the console's own webhook, which is registered a moment after the start. */
async function firstAttempt(service: ServiceCaller, url: string): Promise<{ webhookId: string; attemptId: string }> {
  const reader = await signInCookie(url, 'operations')
  let found = { webhookId: '', attemptId: '' }
  await expect(async () => {
    const { body } = await service.get('/webhooks')
    const [webhook] = (body as { webhooks: { id: string }[] }).webhooks
    const path = `webhooks/${webhook?.id}/deliveries`
    const { attempts } = await readAs<{ attempts?: { id: string }[] }>(url, reader, path)
    found = { webhookId: webhook?.id ?? '', attemptId: attempts?.[0]?.id ?? '' }
    expect(found.attemptId).not.toBe('')
  }).toPass({ timeout: 30_000 })
  return found
}

/** What the service has of people: their phone numbers, e-mail addresses and bank accounts. */
async function personalData(service: ServiceCaller, { cardAccountId = '' }: Objects): Promise<string[]> {
  const found = new Set<string>()
  const collect = (value: unknown, key = ''): void => {
    if (typeof value === 'object' && value !== null)
      for (const [name, item] of Object.entries(value)) collect(item, Array.isArray(value) ? key : name)
    else if (/^(phoneNumber|mobile|cardEmail|email|accountNumber)$/.test(key) && String(value).length > 4)
      found.add(String(value))
  }
  for (const [list, query] of [
    ['/cardaccounts', {}],
    ['/cards', { cardAccountId }],
    ['/payouts', {}],
    ['/accounts', {}],
  ] as const) {
    const { body } = await service.get(list, { pageSize: '100', ...query })
    collect(body)
  }
  found.delete('null')
  return [...found]
}

type AccountOnWire = { account: { limit: number } }

async function readAs<Data>(baseURL: string, cookie: string, address: string): Promise<Data> {
  return (await (await fetch(`${baseURL}/api/sandbox/${address}`, { headers: { cookie } })).json()) as Data
}

/** A request that waited for an approval and was withdrawn. Afterwards nothing needs an approval, as before. */
async function makeApproval(baseURL: string, cardAccountId: string): Promise<string> {
  const cookie = await signInCookie(baseURL, 'operations')
  const { account } = await readAs<AccountOnWire>(baseURL, cookie, `card-accounts/${cardAccountId}`)
  const approvalId = randomUUID()
  const raise = {
    environment: 'sandbox',
    operationId: approvalId,
    cardAccountId,
    limit: String(account.limit + 1),
    limitBefore: account.limit,
    reason: 'credit-review',
  }
  await setPolicy(baseURL, [{ topic: 'limit-raises', when: 'always' }])
  try {
    await callAction(baseURL, cookie, 'account.set-limit', raise)
    const withdrawal = { environment: 'sandbox', approvalId }
    const withdrawn = await sendAction(baseURL, cookie, 'withdrawApproval', withdrawal)
    expect(withdrawn).toContain('"state":"withdrawn"')
  } finally {
    await setPolicy(baseURL, [])
  }
  return approvalId
}

/** An audit entry, an operation, a bulk job and an event of the inbox, made as people would. */
async function makeConsoleObjects(service: ServiceCaller, baseURL: string, cardAccountId: string, feeId: string) {
  const cookie = await signInCookie(baseURL, 'operations')
  const operationId = randomUUID()
  const read = <Data>(address: string) => readAs<Data>(baseURL, cookie, address)
  const { account } = await read<AccountOnWire>(`card-accounts/${cardAccountId}`)
  const limit = {
    environment: 'sandbox',
    operationId,
    cardAccountId,
    limit: '4321',
    limitBefore: account.limit,
    reason: 'credit-review',
  }
  await callAction(baseURL, cookie, 'account.set-limit', limit)
  const jobId = randomUUID()
  const text = `cardAccountId,limit\n${cardAccountId},4322`
  const preview = await sendAction(baseURL, cookie, 'previewLimits', { environment: 'sandbox', text })
  const confirmed = /"digest":"([^"]+)"/.exec(preview)?.[1] ?? ''
  const started = {
    environment: 'sandbox',
    operationId: jobId,
    text,
    reason: 'credit-review',
    confirmed: { accounts: 1, leftOut: 0, digest: confirmed },
  }
  await callAction(baseURL, cookie, 'startLimits', started)
  await service.control.chargeFee({ cardAccountId, intent: 'test-fee', amount: 1 })
  const { entries } = await read<{ entries: { number: number }[] }>('audit')
  let eventId = feeId
  await expect
    .poll(async () => {
      const { events } = await read<{ events: { id: string }[] }>('webhooks/inbox')
      eventId = events[0]?.id ?? eventId
      return events.length
    })
    .toBeGreaterThan(0)
  const { requests } = await read<{ requests: { requestId: string }[] }>('lab/requests')
  const logged = await read<{ requests: { id: number }[] }>('requests?background=true')
  const runId = randomUUID()
  const run = { environment: 'sandbox', runId, names: ['references'] }
  expect(await callAction(baseURL, cookie, 'startScenarios', run)).toBe('let in')
  return {
    number: String(entries[0]?.number ?? 0),
    logId: String(logged.requests[0]?.id ?? 0),
    jobId,
    operationId,
    eventId,
    requestId: requests[0]?.requestId ?? feeId,
    runId,
  }
}

function inputOf(environment: Environment): Record<string, string> {
  return { environment, operationId: randomUUID(), jobId: unknownId, runId: unknownId, cardAccountId: 'none' }
}

/** The code that an action was refused with for want of a session or a permission; otherwise it was let in. */
async function callAction(baseURL: string, cookie: string, name: ActionName, input: object): Promise<string> {
  const text = await sendAction(baseURL, cookie, name, input)
  if (!text.includes('"kind":"')) return `no result: ${text.slice(0, 100)}`
  return /"code":"(NOT_SIGNED_IN|NOT_PERMITTED|LAB_NOT_FOUND)"/.exec(text)?.[1] ?? 'let in'
}
