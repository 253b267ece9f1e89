import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { minuteMs } from '#lib/shared/time.ts'
import { isAlive } from './postmaster.ts'

/** No start of a database takes longer. */
const longestStartMs = 2 * minuteMs
/** The claims of this process: another with its id, as after the restart of a container, is no longer there. */
const held = new Set<string>()

/**
 * Does `work` while no other process starts a server on the folder: until a server has the session of its owner, another
 * start would take it for one that was left behind. The claim of a process that died counts for nothing, nor does one
 * that is older than `longestMs`: its process id belongs to another process by now. `onWait` is called once if another
 * process has the claim.
 */
export async function whileClaimed<T>(
  folder: string,
  work: () => Promise<T>,
  { longestMs = longestStartMs, onWait }: { longestMs?: number; onWait?: () => void } = {},
): Promise<T> {
  const file = path.join(folder, 'starting')
  if (!claim(file, longestMs)) {
    onWait?.()
    while (!claim(file, longestMs)) await delay(50)
  }
  try {
    return await work()
  } finally {
    held.delete(file)
    rmSync(file, { force: true })
  }
}

function claim(file: string, longestMs: number): boolean {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx', mode: 0o600 })
    held.add(file)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  if (isStale(file, longestMs)) rmSync(file, { force: true })
  return false
}

function isStale(file: string, longestMs: number): boolean {
  try {
    const text = readFileSync(file, 'utf8')
    if (Date.now() - statSync(file).mtimeMs > longestMs) return true
    // A claim is empty for the moment between its creation and its writing.
    if (text === '') return false
    return Number(text) === process.pid ? !held.has(file) : !isAlive(Number(text))
  } catch {
    return false
  }
}
