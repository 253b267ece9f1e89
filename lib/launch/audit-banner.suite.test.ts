import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { readPageNeeds } from '#lib/console/testing/page-needs.ts'
import { startTestServer, startTimeoutMs } from './testing.ts'

const banner = 'The audit log was changed outside Carddesk.'
/** The browser draws the frame of a missing or forbidden page, from this state. */
const isReported = (html: string) => html.includes(banner) || html.includes(String.raw`\"state\":\"broken\"`)

test(
  'after a change of the audit log every page reports it, missing and forbidden ones too',
  async () => {
    const dataDir = mkdtempSync(path.join(tmpdir(), 'carddesk-audit-'))
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
    const start = async () => {
      const server = await startTestServer({}, dataDir)
      onTestFinished(() => void server.process.kill('SIGKILL'))
      return server
    }
    const before = await start()
    expect(isReported(await before.read('/sandbox'))).toBe(false)
    const client = await before.connect()
    await client.query('alter table console.audit_entries disable trigger all')
    await client.query(`update console.audit_entries set act = 'export' where number = 1`)
    await client.query('alter table console.audit_entries enable trigger all')
    await client.end()
    await before.stop()

    const server = await start()
    await vi.waitFor(async () => expect(await server.read('/sandbox')).toContain(banner), { timeout: 30_000 })
    const without: string[] = []
    for (const [folder, needs] of Object.entries(readPageNeeds())) {
      const target = `/${folder.replace('[environment]', 'sandbox').replaceAll(/\[\w+\]/g, randomUUID())}`
      if (needs !== 'nothing' && !isReported(await server.read(target))) without.push(target)
    }
    expect(without).toEqual([])
    expect(await server.stop()).toBe(0)
  },
  startTimeoutMs,
)
