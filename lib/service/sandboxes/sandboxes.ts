import { randomBytes, randomUUID } from 'node:crypto'
import { escapeLiteral, type ClientBase, type PoolClient } from 'pg'
import type { Database } from '#lib/db/connection.ts'
import { inUnlimitedTransaction } from '#lib/db/transaction.ts'
import { minuteMs } from '#lib/shared/time.ts'
import { ApiError } from '../api-error.ts'
import { inTurn, withClockLock } from '../clock-lock.ts'
import { logFailure } from '../log.ts'
import { seed } from '../seed/seed.ts'
import { sandboxControlPrefix, interfacePrefix, type Service } from '../service.ts'
import { fillFromSnapshot, hasSameColumns } from '../snapshots.ts'
import { clientInSchema, viewOfSchema } from './schema-view.ts'
import { createTables } from './tables.ts'

/** A sandbox of its own: a schema with every table of the service. Instants are real time. */
export type Sandbox = {
  id: string
  /** `seed`, or the id or name of the snapshot. */
  from: string
  createdAt: string
  expiresAt: string
  /** The base address of its interface, and that of its control plane. */
  baseUrl: string
  controlUrl: string
  /** An access key that this sandbox alone knows. The keys of the service are valid there, too. */
  accessKey: string
}

/** The comment on a sandbox's schema. It is not there for callers until its rows are. */
type Description = Pick<Sandbox, 'from' | 'createdAt' | 'expiresAt' | 'accessKey'> & {
  isReady: boolean
}
type Described = Description & { id: string }

export const mostSandboxes = 32

const schemaPrefix = 'service_sandbox_'
const sandboxSchema = (id: string) => `${schemaPrefix}${id}`
const idPattern = '[0-9a-f]{16}'
const createLock = 7_263_004

/** Every process ends its work in an expired sandbox before its schema is dropped: deliveries that are under way have 2 s. */
const dropAfterMs = 5000

/** One that is not filled by then never is: the process that was filling it has died. */
const longestFillingMs = 10 * minuteMs

const views = new WeakMap<Service, Map<string, Service>>()

/** The service as it is in a sandbox: with its own schema, addresses and no inbox of the console. One object an id. */
export function serviceInSandbox(service: Service, id: string): Service {
  const ofService = views.get(service) ?? new Map<string, Service>()
  views.set(service, ofService)
  const cached = ofService.get(id)
  ofService.delete(id)
  if (cached) {
    ofService.set(id, cached)
    return cached
  }
  const [longestUnused] = ofService.keys()
  if (longestUnused !== undefined && ofService.size >= 2 * mostSandboxes) ofService.delete(longestUnused)
  const { settings } = service
  const created: Service = {
    db: viewOfSchema(service.db, sandboxSchema(id)),
    settings: {
      ...settings,
      baseUrl: new URL(interfacePrefix({ ...service, sandboxId: id }), settings.baseUrl).href,
      consoleInboxUrl: undefined,
    },
    sandboxId: id,
    // Its own one signs with its own key. Tests give theirs.
    ...(service.transport && { transport: service.transport }),
  }
  ofService.set(id, created)
  return created
}

/** The sandboxes that have not expired, the newest first. */
export async function listSandboxes(service: Service): Promise<Sandbox[]> {
  const described = await listSandboxDescriptions(service.db)
  return described
    .filter(isThere)
    .map((one) => toSandbox(service, one))
    .toSorted((one, other) => other.createdAt.localeCompare(one.createdAt))
}

/** Throws `NOT_FOUND` where there is none, or no more. */
export async function requireSandbox(service: Service, id: string): Promise<Sandbox> {
  const [found] = new RegExp(`^${idPattern}$`).test(id) ? await listSandboxDescriptions(service.db, id) : []
  if (found && isThere(found)) return toSandbox(service, found)
  views.get(service)?.delete(id)
  throw new ApiError('NOT_FOUND', `there is no sandbox ${id}: it has expired, was deleted, or never was`)
}

/**
 * Makes a sandbox that holds the seed, or what a snapshot holds but its webhooks. Callers are those of the service at this moment.
 * Throws `RATE_LIMITED` where there are as many as may be, `NOT_FOUND` for an unknown snapshot.
 */
export async function createSandbox(service: Service, given: { from: string; ttlMs: number }): Promise<Sandbox> {
  const reserved = newSandbox(given)
  await reserve(service.db, reserved)
  await make(service, reserved)
  return toSandbox(service, reserved)
}

function newSandbox({ from, ttlMs }: { from: string; ttlMs: number }): Described {
  const now = Date.now()
  return {
    id: randomBytes(8).toString('hex'),
    from,
    createdAt: new Date(now).toISOString(),
    expiresAt: new Date(now + ttlMs).toISOString(),
    accessKey: randomUUID(),
    isReady: false,
  }
}

/** Fills a sandbox that was reserved. Drops it where that fails. */
async function make(service: Service, reserved: Described): Promise<void> {
  const { db } = service
  try {
    await inTurn(db, () => inUnlimitedTransaction(db, (client) => fill(client, service, reserved)))
    await describe(db.$client, { ...reserved, isReady: true })
  } catch (error) {
    await db.$client.query(`drop schema if exists ${sandboxSchema(reserved.id)} cascade`)
    throw error
  }
}

/** Reserves the place of a sandbox, one caller at a time. Throws `RATE_LIMITED` where there are as many as may be. */
async function reserve(db: Database, reserved: Described): Promise<void> {
  await inUnlimitedTransaction(db, async (client) => {
    await client.query('select pg_advisory_xact_lock($1)', [createLock])
    const described = await listSandboxDescriptions({ $client: client })
    const living = described.filter((one) => !hasExpired(one))
    if (living.length >= mostSandboxes) {
      const firstEndsMs = Math.min(...living.map(({ expiresAt }) => Date.parse(expiresAt))) - Date.now()
      throw new ApiError(
        'RATE_LIMITED',
        `there are ${mostSandboxes} sandboxes; delete one first, or wait until one expires`,
        { 'Retry-After': String(Math.max(1, Math.ceil(firstEndsMs / 1000))) },
      )
    }
    await client.query(`create schema ${sandboxSchema(reserved.id)}`)
    await describe(client, reserved)
  })
}

async function fill(client: PoolClient, { db, settings }: Service, described: Described): Promise<void> {
  const { id, from } = described
  const schema = sandboxSchema(id)
  const inside = clientInSchema(client, schema)
  await createTables(client, schema)
  await registerCallers(client, described)
  if (settings.hasGivenWebhookKey) {
    await client.query(
      `insert into ${schema}.service_keys select * from service.service_keys where name = 'webhook-signatures'`,
    )
  }
  if (from !== 'seed') return fillFromSnapshot(inside, db, from)
  const now = settings.startsAt ?? new Date()
  await seed(inside, { ...settings, consoleInboxUrl: undefined, cardAccounts: settings.seededCardAccounts, now })
}

/** Registers the callers that the service has, and the key of this sandbox. */
async function registerCallers(client: ClientBase, { id, accessKey }: Described): Promise<void> {
  const schema = sandboxSchema(id)
  await client.query(`insert into ${schema}.access_keys select * from service.access_keys on conflict do nothing`)
  // For HTTP Basic: whoever has the private key of it is a caller of the service already.
  await client.query(
    `insert into ${schema}.access_keys (id, name, public_key_pem)
     select $1, 'sandbox', public_key_pem from service.access_keys order by id limit 1`,
    [accessKey],
  )
}

/** Ends a sandbox: its addresses are gone at once, its schema a moment later. Throws `NOT_FOUND` where there is none. */
export async function deleteSandbox(service: Service, id: string): Promise<void> {
  await expire(service, await requireSandbox(service, id))
}

async function expire({ db }: Service, { id, from, createdAt, accessKey }: Omit<Described, 'isReady'>) {
  await describe(db.$client, { id, from, createdAt, accessKey, expiresAt: new Date().toISOString(), isReady: true })
}

/** Drops a sandbox's schema and its snapshots, once nothing moves its clock. */
async function dropSandbox(service: Service, id: string): Promise<void> {
  await withClockLock(serviceInSandbox(service, id).db, async () => {
    const { rows } = await service.db.$client.query<{ name: string }>(
      'select nspname as name from pg_namespace where starts_with(nspname, $1)',
      [sandboxSchema(id)],
    )
    if (rows.length === 0) return
    await service.db.$client.query(`drop schema if exists ${rows.map(({ name }) => name).join(', ')} cascade`)
  })
  views.get(service)?.delete(id)
}

function toSandbox(
  service: Service,
  { id, from, createdAt, expiresAt, accessKey }: Omit<Described, 'isReady'>,
): Sandbox {
  const inside = { ...service, sandboxId: id }
  const sandboxUrl = (prefix: string) => new URL(prefix, service.settings.baseUrl).href
  return {
    id,
    from,
    createdAt,
    expiresAt,
    baseUrl: sandboxUrl(interfacePrefix(inside)),
    controlUrl: sandboxUrl(sandboxControlPrefix(inside)),
    accessKey,
  }
}

function isThere(one: Description): boolean {
  return one.isReady && !hasExpired(one)
}

function hasExpired({ expiresAt, createdAt, isReady }: Description, agoMs = 0): boolean {
  const endMs = isReady
    ? Date.parse(expiresAt)
    : Math.min(Date.parse(expiresAt), Date.parse(createdAt) + longestFillingMs)
  return endMs + agoMs <= Date.now()
}

async function listSandboxDescriptions(
  { $client }: { $client: Pick<ClientBase, 'query'> },
  id = idPattern,
): Promise<Described[]> {
  const { rows } = await $client.query<{ id: string; about: string }>(
    `select substr(nspname, length($1) + 1) as id, obj_description(oid, 'pg_namespace') as about
     from pg_namespace where nspname ~ $2`,
    [schemaPrefix, `^${schemaPrefix}${id}$`],
  )
  return rows.map((row) => ({ id: row.id, ...(JSON.parse(row.about) as Description) }))
}

async function describe(client: Pick<ClientBase, 'query'>, { id, ...description }: Described): Promise<void> {
  await client.query(`comment on schema ${sandboxSchema(id)} is ${escapeLiteral(JSON.stringify(description))}`)
}

/** Keeps the sandboxes in step with what this process does for them. */
export type SandboxKeeper = {
  /** Starts the work of new sandboxes, stops that of expired ones, and drops these. */
  tend: () => Promise<void>
  stop: () => Promise<void>
}

/** `startWork` begins the background work of a sandbox and returns how to end it. */
export function keepSandboxes(service: Service, startWork: (inside: Service) => () => Promise<void>): SandboxKeeper {
  const working = new Map<string, () => Promise<void>>()
  const ending = new Map<string, Promise<void>>()

  /** Work that is not awaited: it may take seconds, and must not hold up the other sandboxes. */
  function end(id: string, work: () => Promise<void>): void {
    const ended = work()
      .catch((error: unknown) => logFailure(error, { work: `sandbox ${id}` }))
      .finally(() => ending.delete(id))
    ending.set(id, ended)
  }

  return {
    async tend() {
      const sandboxes = await listSandboxDescriptions(service.db)
      const live = new Set(sandboxes.filter((one) => !hasExpired(one)).map(({ id }) => id))
      for (const [id, stop] of working) {
        if (live.has(id)) continue
        working.delete(id)
        end(id, stop)
      }
      for (const one of sandboxes) {
        const { id } = one
        if (live.has(id)) {
          if (!one.isReady || working.has(id)) continue
          // A version with other tables has replaced the one that made it.
          if (await hasSameColumns(service.db.$client, sandboxSchema(id)))
            working.set(id, startWork(serviceInSandbox(service, id)))
          else await expire(service, one)
        } else if (hasExpired(one, dropAfterMs) && !ending.has(id)) end(id, () => dropSandbox(service, id))
      }
    },
    async stop() {
      for (const [id, stop] of working) end(id, stop)
      working.clear()
      await Promise.all(ending.values())
    },
  }
}

/** The sandboxes that have tables, as the service of each. */
export async function listServicesInSandboxes(service: Service): Promise<Service[]> {
  const described = await listSandboxDescriptions(service.db)
  return described.filter((one) => one.isReady && !hasExpired(one)).map(({ id }) => serviceInSandbox(service, id))
}
