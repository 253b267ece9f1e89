import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startServer } from '#e2e/server.ts'
import { makeBuild, root } from './build.ts'
import { startTestServer, startTimeoutMs } from './testing.ts'

const made = path.join(root, '.next')
const folder = '.next-two-servers'
const markFile = 'carddesk-sources.sha256'

/** A build folder that only the servers of this test use: the build itself, with a mark of its own. */
function ownFolder(): { mark: string } {
  const own = path.join(root, folder)
  rmSync(own, { recursive: true, force: true })
  mkdirSync(own)
  onTestFinished(() => {
    rmSync(own, { recursive: true, force: true })
    rmSync(path.join(root, '.next-claims', folder), { recursive: true, force: true })
  })
  for (const entry of readdirSync(made))
    if (entry !== markFile) symlinkSync(path.join(made, entry), path.join(own, entry))
  const mark = path.join(own, markFile)
  writeFileSync(mark, readFileSync(path.join(made, markFile)))
  return { mark }
}

test(
  'two servers of one checkout share its build; one of other sources does not start, says why, and leaves the others alone',
  async () => {
    await makeBuild(() => undefined, { isServer: false })
    const { mark } = ownFolder()
    const settings = { NEXT_DIST_DIR: folder }
    const first = await startTestServer(settings)
    onTestFinished(() => void first.process.kill('SIGKILL'))
    const second = await startTestServer(settings)
    onTestFinished(() => void second.process.kill('SIGKILL'))
    expect([second.output(), await second.visit('/sandbox/fees')]).toEqual([expect.not.stringContaining('making'), 200])

    // As after an edit: the sources are not those that the build was made of.
    writeFileSync(mark, '0'.repeat(64))
    await expect(startServer({ settings })).rejects.toThrow(
      /The build in \.next-two-servers is in use .* \(process \d+\): stop it first, or set NEXT_DIST_DIR to another folder/,
    )
    expect(readdirSync(path.join(root, folder))).toEqual(expect.arrayContaining(readdirSync(made)))
    expect(await Promise.all([first, second].map((server) => server.visit('/sandbox/card-accounts')))).toEqual([
      200, 200,
    ])

    const elsewhere = await startTestServer()
    onTestFinished(() => void elsewhere.process.kill('SIGKILL'))
    expect(await elsewhere.visit('/sandbox/fees')).toBe(200)
    expect(await Promise.all([first, second, elsewhere].map((server) => server.stop()))).toEqual([0, 0, 0])
  },
  startTimeoutMs,
)
