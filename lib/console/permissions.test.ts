import { randomUUID } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { runAction } from '#lib/actions/run-action.ts'
import { actionDefinition, type ActionName, actionNames } from '#lib/api/actions.ts'
import type { ReadDefinition } from '#lib/api/read.ts'
import { readDefinitions, type ReadName } from '#lib/api/reads.ts'
import { noteSessionActivity, readSessionActivity } from '#lib/auth/activity.ts'
import {
  onlyRoles,
  type Permission,
  permissions,
  listPermissions,
  roleNames,
  rolePermissions,
  roles,
  roleSummary,
} from '#lib/auth/permissions.ts'
import { requireCurrentStaff } from '#lib/auth/session.ts'
import { sessionCookieName } from '#lib/auth/token.ts'
import { closeLive, openLiveStream } from '#lib/live/stream.ts'
import { consoleSettings } from '#lib/settings/console-settings.ts'
import { isAppError } from '#lib/shared/app-error.ts'
import { inRequestContext } from '#lib/shared/request-context.ts'
import { type Environment, environments } from '#lib/shared/routes.ts'
import { signEmbedToken } from './embed/token.ts'
import { exportList } from './export/export.ts'
import { reads } from './reads.ts'
import { setCookie, setRequestHeaders } from './testing/next-headers.ts'
import { openConsole, shareConsole } from './testing/open-console.ts'

const id = '11111111-1111-4111-8111-111111111111'

type Guarded = {
  needs: Permission | 'signed-in'
  /** Not found in production, whatever the role. */
  isOfLab?: true
  call: (environment: Environment) => Promise<unknown>
}
/** The audit of reads has tests of its own. */
const unaudited = { signal: new AbortController().signal, isAuditedAsOne: true } as const

type AnyRead = (environment: Environment, ...rest: unknown[]) => Promise<unknown>
const definedReads = Object.entries(readDefinitions) as [ReadName, ReadDefinition][]

/**
 * A read with ids that name nothing, once for each type that its path may begin with. Its search is that of its definition with a wrong
 * page size: what a list has to check of it comes after the permission, and nothing is read.
 */
function readRows([name, { path, needs, lab, example = '' }]: [ReadName, ReadDefinition]): [string, Guarded][] {
  const search = { ...Object.fromEntries(new URLSearchParams(example)), pageSize: 'wrong' }
  const row = (permission: Permission | 'session', firstId: string): Guarded => {
    const ids = [...path.matchAll(/\[\w+\]/g)].map((_, at) => (at === 0 ? firstId : id))
    return {
      needs: permission === 'session' ? 'signed-in' : permission,
      ...(lab && { isOfLab: true }),
      call: (environment) => inRequestContext(unaudited, () => (reads[name] as AnyRead)(environment, ...ids, search)),
    }
  }
  if (typeof needs === 'string') return [[name, row(needs, id)]]
  return Object.entries(needs.of).map(([type, permission]) => [`${name} of a ${type}`, row(permission, type)])
}

/** An action with an input that is wrong, once for each value of the field that its permission depends on. */
function actionRows(name: ActionName): [string, Guarded][] {
  const { needs, lab } = actionDefinition(name)
  const row = (permission: Permission | 'session', field: object): Guarded => ({
    needs: permission === 'session' ? 'signed-in' : permission,
    ...(lab && { isOfLab: true }),
    call: (environment) => runAction(name, { environment, operationId: randomUUID(), feeId: '', ...field } as never),
  })
  if (typeof needs === 'string') return [[name, row(needs, {})]]
  return Object.entries(needs.of).map(([value, permission]) => [
    `${name} of ${value}`,
    row(permission, { [needs.by]: value }),
  ])
}

/** Every function that pages, routes and actions reach, with what it takes; `signed-in`: no permission of a role. */
const guarded: Record<string, Guarded> = {
  ...Object.fromEntries(actionNames.flatMap(actionRows)),
  ...Object.fromEntries(definedReads.flatMap(readRows)),
  exportList: {
    needs: 'accounts.read',
    call: async (environment) => (await exportList(environment, 'listCardAccounts', [], {})).body?.cancel(),
  },
  openLiveStream: {
    needs: 'accounts.read',
    call: async (environment) => {
      const stream = await openLiveStream(new Request('http://127.0.0.1:3000/api/live'), environment)
      await stream.body?.cancel()
    },
  },
  readSessionActivity: { needs: 'signed-in', call: readSessionActivity },
  noteSessionActivity: {
    needs: 'signed-in',
    call: () =>
      noteSessionActivity(new Request('http://127.0.0.1:3000/', { headers: { 'sec-fetch-site': 'same-origin' } })),
  },
  requireCurrentStaff: { needs: 'signed-in', call: requireCurrentStaff },
}

/** Reached from outside, and about no data of the program, or guarded otherwise: by a signature, a token, a key. */
const unguarded = [
  // The gate of every action: see `actionRows`.
  'actions',
  'withRequestContext',
  'backChannelLogout',
  'respondMethodNotAllowed',
  'respondNotFound',
  'respondToRead',
  'answerEnvironmentRead',
  // Names a list; the export itself checks.
  'findExport',
  'respondToTokenRequest',
  'respondToViewRequest',
  'respondToTicketRequest',
  'currentStaff',
  // Says yes or no to a load balancer, and nothing else.
  'isReady',
  // Null where the list is not permitted.
  'defaultViewQuery',
  // Each runs a read, which checks its own permission.
  'auditRead',
  'answerRead',
  'embedDocument',
  'signOut',
  'handleAuth',
  'labOf',
  // A setting of the console.
  'isPayoutOffered',
  'isAppError',
  'maskForReader',
  'latestSafePosition',
  'receiveDelivery',
  'sessionIdleMs',
  'signInChoices',
  'submitSignIn',
  'withSanitizedErrors',
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
    for (const [, name = ''] of source.matchAll(/\b(?:serverAction|withSanitizedErrors)\((?:\(\) => )?\w+\.(\w+)/g))
      reached.add(name)
  }
  // The reads of the API and of the pages are in one table.
  expect(reached.delete('reads')).toBe(true)
  const known = [...Object.keys(guarded).map((name) => name.split(' ')[0]), ...unguarded]
  expect([...reached].filter((name) => !known.includes(name))).toEqual([])
  expect(reached.size).toBeGreaterThan(10)
})

describe('each role, and a signed-out person', () => {
  const desk = shareConsole({ seeded: 1 })
  test.each(['signed out', ...roles] as const)(
    '%s: gets what the permission table gives, from every function',
    async (who) => {
      const role = who === 'signed out' ? null : who
      onTestFinished(closeLive)
      vi.stubEnv('BUILT_IN_SERVICE', 'on')
      onTestFinished(() => void vi.unstubAllEnvs())
      await desk.signIn(role)
      const requestsBefore = desk.requests.size
      const wrong: object[] = []
      const rows = Object.entries(guarded)
      // Some at once: one after the other, most of the time goes into waiting for the database.
      for (let at = 0; at < rows.length; at += 10) {
        const calls = rows.slice(at, at + 10).flatMap(([name, { needs, isOfLab, call }]) =>
          environments.map(async (environment) => {
            const isMissing = (isOfLab === true || needs === 'sandbox.simulate') && environment === 'production'
            const may =
              role !== null &&
              (isMissing || needs === 'signed-in' || listPermissions(role, environment).includes(needs))
            const expected = may ? null : role === null ? 'NOT_SIGNED_IN' : 'NOT_PERMITTED'
            const found = await errorCodeOf(call(environment))
            if (found !== expected) wrong.push({ name, environment, expected, found })
          }),
        )
        await Promise.all(calls)
      }
      expect(wrong).toEqual([])
      if (role === null) expect(desk.requests.size).toBe(requestsBefore)
    },
  )
})

test('the token of an embedded view, as bearer and as session, opens no function', async () => {
  const desk = await openConsole({ seeded: 1 })
  onTestFinished(closeLive)
  await desk.signIn(null)
  const token = await signEmbedToken(consoleSettings(), {
    object: { environment: 'sandbox', type: 'card', id, cardAccountId: id },
    origin: 'https://help.example.com',
    creator: { kind: 'key', id },
    ticketOrigin: { agent: { name: 'Kim Lee', email: 'kim.lee@help.example.com' }, ticket: 'T-17' },
  })
  setCookie(sessionCookieName(consoleSettings()), token)
  setRequestHeaders({ authorization: `Bearer ${token}`, 'x-carddesk-host': 'https://help.example.com' })
  onTestFinished(() => setRequestHeaders({}))
  const opened: string[] = []
  for (const [name, { call }] of Object.entries(guarded)) {
    for (const environment of environments) {
      if ((await errorCodeOf(call(environment))) !== 'NOT_SIGNED_IN') opened.push(`${name} in ${environment}`)
    }
  }
  expect(opened).toEqual([])
  expect(desk.requests.size).toBe(0)
})

test('with production connected, all of the lab and every simulator is not found there, whatever the role', async () => {
  const desk = await openConsole({ seeded: 1 })
  onTestFinished(closeLive)
  const { services } = consoleSettings()
  Object.assign(services, { production: services.sandbox })
  vi.stubEnv('BUILT_IN_SERVICE', 'on')
  onTestFinished(() => void vi.unstubAllEnvs())
  const calls = Object.entries(guarded).flatMap(
    ([name, { needs, isOfLab, call }]): [string, () => Promise<unknown>][] =>
      isOfLab === true || needs === 'sandbox.simulate' ? [[name, () => call('production')]] : [],
  )
  const names = calls.map(([name]) => name)
  const ofLab = definedReads.flatMap(([name, { path }]) => (path.startsWith('lab/') ? [name] : []))
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
    const held = listPermissions(role, 'sandbox')
    expect(held.includes('staff.manage') && held.some((permission) => permission.startsWith('cards.'))).toBe(false)
  }
})

test('qa has nothing in production', () => {
  expect(listPermissions('qa', 'production')).toEqual([])
})

test('a missing permission names only the roles that hold it', () => {
  expect(onlyRoles('payouts.submit', 'sandbox')).toBe('Only Operations and QA can do this.')
  expect(onlyRoles('payouts.submit', 'production')).toBe('Only Operations can do this.')
  expect(onlyRoles('cards.lock', 'production')).toBe('Only Support and Operations can do this.')
  expect(onlyRoles('sandbox.simulate', 'sandbox')).toBe('Only Operations and QA can do this.')
  expect(onlyRoles('sandbox.simulate', 'production')).toBe('Not available in production.')
  for (const permission of permissions) {
    const named = roles.filter((role) => onlyRoles(permission, 'sandbox').includes(roleNames[role]))
    expect(named, permission).toEqual(roles.filter((role) => rolePermissions[role].includes(permission)))
  }
})

test('a role is described as the permission table has it', () => {
  expect(Object.fromEntries(roles.map((role) => [role, roleSummary(role)]))).toMatchInlineSnapshot(`
    {
      "admin": "View everything, personal data masked. Manage the approval policy and staff; manage help desk views.",
      "approver": "View everything. Manage approvals and help desk requests.",
      "operations": "View everything. Manage accounts, cards, payouts, help desk requests, fees, limits, references, identities, reproductions, the QA lab and webhooks; create help desk views.",
      "qa": "View everything in the sandbox. Manage accounts, cards, payouts, help desk requests, fees, limits, references, identities, reproductions, the QA lab and webhooks; create help desk views.",
      "support": "View everything. Lock, unlock and reveal cards; create help desk views.",
      "viewer": "View accounts, payouts and webhooks, personal data masked.",
    }
  `)
})
