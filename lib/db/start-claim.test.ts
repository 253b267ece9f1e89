import { spawn } from 'node:child_process'
import { existsSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Writable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { whileClaimed } from './start-claim.ts'
import { newFolder } from './testing-folders.ts'

test('one at a time, also where one fails', async () => {
  const folder = newFolder()
  let running = 0
  const starts = Array.from({ length: 5 }, (_, number) =>
    whileClaimed(folder, async () => {
      running += 1
      expect(running).toBe(1)
      await delay(5)
      running -= 1
      if (number === 2) throw new Error('no server')
      return number
    }),
  )
  const results = await Promise.allSettled(starts)
  expect(results.map((result) => (result.status === 'fulfilled' ? result.value : 'failed'))).toEqual([
    0,
    1,
    'failed',
    3,
    4,
  ])
  expect(existsSync(path.join(folder, 'starting'))).toBe(false)
})

test('waits for a process that is there', async () => {
  const folder = newFolder()
  const file = path.join(folder, 'starting')
  writeFileSync(file, String(process.ppid))
  let isDone = false
  const waiting = whileClaimed(folder, async () => (isDone = true))
  await delay(200)
  expect(isDone).toBe(false)
  utimesSync(file, new Date(0), new Date(0))
  await waiting
  expect(isDone).toBe(true)
})

test.each([
  ['is gone', 99_999_999],
  ['had the id that this one has now', process.pid],
])('a claim of a process that %s counts for nothing', async (_case, pid) => {
  const folder = newFolder()
  writeFileSync(path.join(folder, 'starting'), String(pid))
  expect(await whileClaimed(folder, async () => 'started')).toBe('started')
})

test.skipIf(!existsSync('/proc/self'))(
  'a claim of a process that ended counts for nothing, also while its exit code is not read',
  async () => {
    const folder = newFolder()
    const file = path.join(folder, 'starting')
    // The shell becomes a program that knows nothing of the process it started, which ends only then: a shell reads exit codes.
    const command = `cat <&3 & echo $! > '${file}'; exec sleep 60 3<&-`
    const parent = spawn('sh', ['-c', command], { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] })
    onTestFinished(() => void parent.kill())
    await vi.waitFor(() => expect(readFileSync(`/proc/${parent.pid}/comm`, 'utf8')).toBe('sleep\n'))
    ;(parent.stdio[3] as Writable).end()
    await vi.waitFor(() =>
      expect(readFileSync(`/proc/${Number(readFileSync(file, 'utf8'))}/stat`, 'utf8')).toContain(') Z '),
    )
    expect(await whileClaimed(folder, async () => 'started')).toBe('started')
  },
)
