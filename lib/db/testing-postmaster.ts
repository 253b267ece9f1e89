import { readFileSync } from 'node:fs'
import path from 'node:path'

export function pidFilePath(folder: string): string {
  return path.join(folder, 'postgres', 'postmaster.pid')
}

/**
 * The process id of the embedded PostgreSQL of a data folder. Throws while no server has written its file, or has written
 * it in part: to a kill, the 0 of an empty file means every process of the test's own group.
 */
export function pidIn(folder: string): number {
  const pid = Number(readFileSync(pidFilePath(folder), 'utf8').split('\n')[0])
  if (!Number.isInteger(pid) || pid <= 1) throw new Error('postmaster.pid holds no process id yet.')
  return pid
}

/** Kills the embedded PostgreSQL of a data folder. Says whether there was one: it may be dead and not started again yet. */
export function killPostmaster(folder: string): boolean {
  try {
    return process.kill(pidIn(folder), 'SIGKILL')
  } catch {
    return false
  }
}
