import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { Client } from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { makeCaller } from '#e2e/cluster/load.ts'
import { startServer } from '#e2e/server.ts'
import { signInCookie } from '#e2e/sign-in-by-cookie.ts'
import { migrateDatabase } from '#lib/db/migrate.ts'
import { nodeArguments } from '#lib/shared/testing/npm-script.ts'
import { startTestServer, startTimeoutMs } from './testing.ts'

const rolesFile = path.join(import.meta.dirname, '..', '..', 'docs', 'deploy', 'roles.sql')

test(
  'a console works as the role of docs/deploy/roles.sql that can change rows and no tables',
  async () => {
    const service = await startTestServer()
    onTestFinished(async () => void (await service.stop()))
    const admin = await service.connect()
    await admin.query('create database desk')
    const urlOf = (user: string, password: string) => `postgresql://${user}:${password}@127.0.0.1:${admin.port}/desk`
    const desk = new Client({ connectionString: urlOf('carddesk', String(admin.password)) })
    await desk.connect()
    await desk.query(readFileSync(rolesFile, 'utf8'))
    await desk.query("alter role carddesk_owner password 'owner'; alter role carddesk_app password 'app'")
    await desk.end()
    await admin.end()

    const settings = {
      DATABASE_URL: urlOf('carddesk_app', 'app'),
      SERVICE_SANDBOX_URL: service.access.baseUrl,
      SERVICE_SANDBOX_ACCESS_KEY: service.access.accessKey,
      SERVICE_SANDBOX_PRIVATE_KEY: service.access.privateKeyFile,
    }
    await expect(migrateDatabase(settings.DATABASE_URL)).rejects.toThrow('run npm run migrate as the owner')
    const env = { ...process.env, DATABASE_OWNER_URL: urlOf('carddesk_owner', 'owner') }
    const { stdout, stderr } = spawnSync(process.execPath, nodeArguments('migrate'), { env, encoding: 'utf8' })
    expect(stdout + stderr).toBe('The database is of the newest version.\n')
    const server = await startServer({ settings })
    onTestFinished(async () => void (await server.stop()))
    const cookie = await signInCookie(server.url, 'operations')
    const get = async (target: string) => fetch(`${server.url}${target}`, { headers: { cookie }, redirect: 'manual' })
    for (const page of ['/sandbox', '/sandbox/fees', '/sandbox/payouts', '/sandbox/webhooks', '/sandbox/audit'])
      expect([page, (await get(page)).status]).toEqual([page, 200])

    const [card] = await (await makeCaller(service.url, service.access.accessKey)).activeCards(1)
    const staff = await makeCaller(server.url, '')
    expect(card && (await staff.act(card, 'lock'))).toBe(true)
    const app = new Client({ connectionString: urlOf('carddesk_app', 'app') })
    await app.connect()
    onTestFinished(async () => app.end())
    await vi.waitFor(async () => {
      const { rows } = await app.query("select outcome from console.audit_entries where act = 'card.lock'")
      expect(rows).toEqual([{ outcome: 'done' }])
    })
    await expect(app.query('create table console.more (id int)')).rejects.toThrow('permission denied')
    await expect(app.query('alter table console.staff add more int')).rejects.toThrow('must be owner')
    await expect(app.query('truncate console.operations')).rejects.toThrow('permission denied')
    await expect(app.query('delete from console.audit_entries')).rejects.toThrow('append-only')
    await app.query(
      `select launch.keep_partitions('console.inbox_events', '7 days', '30 days', now() + interval '1 year', 'applied_at')`,
    )
    const { rows: owners } = await app.query(
      `select distinct tableowner as owner from pg_tables where tablename like 'inbox_events%'`,
    )
    expect(owners).toEqual([{ owner: 'carddesk_owner' }])
    await expect(app.query('drop table console.inbox_events_default')).rejects.toThrow('must be owner')
    const { rows: others } = await app.query(
      `select has_function_privilege('pg_monitor', oid, 'execute') as may, prosecdef as "asOwner", proconfig::text as settings
       from pg_proc where proname = 'keep_partitions'`,
    )
    expect(others).toEqual([{ may: false, asOwner: true, settings: expect.stringContaining('search_path=pg_catalog') }])
    expect(server.output()).not.toMatch(/permission denied|must be owner/)
  },
  startTimeoutMs,
)
