import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startEmbeddedPostgres } from './embedded-postgres.ts'
import { isAlive } from './postmaster.ts'
import { newFolder, query, start, usedFolders } from './testing-folders.ts'
import { pidFilePath, pidIn } from './testing-postmaster.ts'

const usedFolder = usedFolders()

test('two starts at the same moment on a new folder: one gets it, the other stops with a message', async () => {
  const folder = newFolder()
  const results = await Promise.allSettled([start(folder, 'the one'), start(folder, 'the other')])
  expect(results.map((result) => result.status).sort()).toEqual(['fulfilled', 'rejected'])
  const refused = results.find((result) => result.status === 'rejected')
  expect(String(refused?.reason)).toMatch(/is in use by the (one|other)/)
})

test('starts over a server that a killed process left running, and loses nothing that was acknowledged', async () => {
  const folder = await usedFolder()
  const { process: owner, databaseUrl } = await startInAnotherProcess(folder)
  await query(databaseUrl, 'create table kept as select 7 as value')
  const leftOver = pidIn(folder)
  owner.kill('SIGKILL')
  await once(owner, 'exit')
  const postgres = await start(folder)
  expect(await query(postgres.databaseUrl, 'select value from kept')).toEqual([{ value: 7 }])
  expect(pidIn(folder)).not.toBe(leftOver)
})

test('a server that is killed is started again on its address, with everything acknowledged', async () => {
  const folder = await usedFolder()
  const { databaseUrl } = await start(folder)
  expect(Number(new URL(databaseUrl).port), 'no connection gets its port meanwhile').toBeLessThan(32_768)
  await query(databaseUrl, 'create table kept as select 7 as value')
  process.kill(pidIn(folder), 'SIGKILL')
  const rows = await vi.waitFor(() => query(databaseUrl, 'select value from kept'), { timeout: 20_000, interval: 50 })
  expect(rows).toEqual([{ value: 7 }])
})

test('a server that is killed again while it starts recovers', async () => {
  const folder = await usedFolder()
  const lost: string[] = []
  const { databaseUrl, stop } = await startEmbeddedPostgres(folder, { onLost: (reason) => lost.push(reason) })
  onTestFinished(stop)
  for (let kill = 0; kill < 5; kill += 1) {
    const killed = pidIn(folder)
    process.kill(killed, 'SIGKILL')
    await vi.waitFor(() => expect(pidIn(folder)).not.toBe(killed), { timeout: 20_000, interval: 1 })
  }
  const rows = await vi.waitFor(() => query(databaseUrl, 'select 1 as alive'), { timeout: 20_000, interval: 50 })
  expect([rows, lost]).toEqual([[{ alive: 1 }], []])
})

test('a server that is killed during a long statement is started again, and the statement ends', async () => {
  const folder = await usedFolder()
  const lost: string[] = []
  const { databaseUrl, stop } = await startEmbeddedPostgres(folder, { onLost: (reason) => lost.push(reason) })
  onTestFinished(stop)
  const busy = query(databaseUrl, `set statement_timeout = '60s'; do 'begin loop end loop; end'`).catch(() => 'ended')
  const active = `select pid from pg_stat_activity where state = 'active' and query like '%loop%' and pid <> pg_backend_pid()`
  const [session] = await vi.waitFor(async () => {
    const rows = (await query(databaseUrl, active)) as { pid: number }[]
    expect(rows).toHaveLength(1)
    return rows
  })
  process.kill(pidIn(folder), 'SIGKILL')
  const rows = await vi.waitFor(() => query(databaseUrl, 'select 1 as alive'), { timeout: 20_000, interval: 50 })
  expect([rows, lost, isAlive(session?.pid ?? 0), await busy]).toEqual([[{ alive: 1 }], [], false, 'ended'])
})

test('a start that fails while sessions of the killed server still write to the log is tried again', async () => {
  const folder = await usedFolder()
  const lost: string[] = []
  const { databaseUrl, stop } = await startEmbeddedPostgres(folder, { onLost: (reason) => lost.push(reason) })
  onTestFinished(stop)
  const orphan = setInterval(() => {
    appendFileSync(
      path.join(folder, 'postgres.log'),
      'FATAL:  terminating connection due to unexpected postmaster exit\n',
    )
  }, 1)
  onTestFinished(() => clearInterval(orphan))
  const port = createServer()
  process.kill(pidIn(folder), 'SIGKILL')
  // PostgreSQL cannot start while another process has its port.
  const taken = await vi.waitFor(
    () =>
      new Promise<boolean>((resolve, reject) => {
        port.once('error', reject).listen(Number(new URL(databaseUrl).port), '127.0.0.1', () => resolve(true))
      }),
    { timeout: 5_000, interval: 1 },
  )
  await delay(1_000)
  port.close()
  const rows = await vi.waitFor(() => query(databaseUrl, 'select 1 as alive'), { timeout: 20_000, interval: 50 })
  expect([taken, rows, lost]).toEqual([true, [{ alive: 1 }], []])
})

test('a stop in the middle of that leaves nothing running', async () => {
  const folder = await usedFolder()
  const postgres = await start(folder)
  const killed = pidIn(folder)
  process.kill(killed, 'SIGKILL')
  const startedAgain = await vi.waitFor(
    () => {
      const pid = pidIn(folder)
      if (pid === killed || !isAlive(pid)) throw new Error('Not started again yet.')
      return pid
    },
    { timeout: 20_000, interval: 1 },
  )
  await postgres.stop()
  expect(isAlive(startedAgain)).toBe(false)
})

test.each([
  ['a process that is gone', () => 99_999],
  ['a process that is another program by now', () => process.pid],
])('starts over a postmaster.pid of %s', async (_case, pid) => {
  const folder = await usedFolder()
  const first = await start(folder)
  const lines = readFileSync(pidFilePath(folder), 'utf8').split('\n')
  await first.stop()
  writeFileSync(pidFilePath(folder), [pid(), ...lines.slice(1)].join('\n'))
  const second = await start(folder)
  expect(await query(second.databaseUrl, 'select 1 as alive')).toEqual([{ alive: 1 }])
})

test('starts over a postmaster.pid whose process is the PostgreSQL of another folder, and leaves that one alone', async () => {
  const [folder, otherFolder] = [await usedFolder(), await usedFolder()]
  const other = await start(otherFolder)
  const first = await start(folder)
  const lines = readFileSync(pidFilePath(folder), 'utf8').split('\n')
  await first.stop()
  writeFileSync(pidFilePath(folder), [pidIn(otherFolder), ...lines.slice(1)].join('\n'))
  await start(folder)
  expect(await query(other.databaseUrl, 'select 1 as alive')).toEqual([{ alive: 1 }])
})

test('reports in one line what prevents a start', async () => {
  const folder = await usedFolder()
  writeFileSync(path.join(folder, 'postgres', 'PG_VERSION'), '9\n')
  const failure = await startEmbeddedPostgres(folder).catch((error: Error) => error)
  expect(String(failure)).toContain('The embedded PostgreSQL did not start')
  expect(String(failure)).toContain('DATABASE_URL')
  expect(String(failure).trim().split('\n')).toHaveLength(1)
})

async function startInAnotherProcess(folder: string): Promise<{ process: ChildProcess; databaseUrl: string }> {
  const file = path.join(import.meta.dirname, 'embedded-postgres.ts')
  const program = `
    import { startEmbeddedPostgres } from ${JSON.stringify(file)}
    const { databaseUrl } = await startEmbeddedPostgres(${JSON.stringify(folder)}, { owner: 'another process' })
    process.stdout.write(databaseUrl)
    setInterval(() => undefined, 1000)`
  const child = spawn(process.execPath, ['--input-type=module-typescript', '--eval', program], {
    cwd: path.join(import.meta.dirname, '..', '..'),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [chunk] = (await once(child.stdout, 'data')) as [Buffer]
  return { process: child, databaseUrl: chunk.toString() }
}
