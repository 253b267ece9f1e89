import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, readlinkSync, realpathSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

/** A PostgreSQL that runs on a data folder, as its postmaster.pid names it. */
type Postmaster = { pid: number; port: number }

/** Beyond the largest process id of any system. */
const unusedPid = 99_999_999

/**
 * The PostgreSQL that runs on this folder. A postmaster.pid whose process is another program by now would keep PostgreSQL
 * from starting, so its process id is replaced by an unused one; the rest stays, since PostgreSQL reads there which
 * shared memory to check for sessions that outlived their server.
 */
export function findPostmaster(dataFolder: string): Postmaster | null {
  const pidFile = path.join(dataFolder, 'postmaster.pid')
  if (!existsSync(pidFile)) return null
  const lines = readFileSync(pidFile, 'utf8').split('\n')
  const postmaster = { pid: Number(lines[0]), port: Number(lines[3]) }
  if (isServing(postmaster.pid, dataFolder)) return postmaster
  if (isTaken(postmaster.pid)) writeFileSync(pidFile, [unusedPid, ...lines.slice(1)].join('\n'))
  return null
}

/** Stops a PostgreSQL that is not our child: SIGINT is its fast shutdown, SIGQUIT the immediate one. */
export async function stopPostmaster(postmaster: Postmaster, dataFolder: string): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    if (isServing(postmaster.pid, dataFolder)) process.kill(postmaster.pid, signal)
    const deadline = Date.now() + 20_000
    while (isServing(postmaster.pid, dataFolder)) {
      if (Date.now() > deadline) break
      await delay(25)
    }
  }
}

/**
 * Ends the sessions of a killed server. They notice its end when their statement ends, and until then no other server can
 * start. Only where the system has /proc; elsewhere they end by themselves.
 */
export function endSessions(dataFolder: string): void {
  const pids = existsSync('/proc/self') ? readdirSync('/proc').map(Number) : []
  for (const pid of pids.filter((pid) => isServing(pid, dataFolder))) {
    try {
      if (readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'postgres') process.kill(pid, 'SIGKILL')
    } catch {
      // It ended by itself.
    }
  }
}

/**
 * Whether a process of this id runs. One that has ended does not, although its id stays taken until its parent has read
 * how it ended: in a container whose first process never does that, it stays for good.
 */
export function isAlive(pid: number): boolean {
  if (!isTaken(pid)) return false
  if (!existsSync('/proc/self')) return true
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The state follows the name, which is in parentheses and may hold some itself.
    return !/^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2))
  } catch {
    // Some systems hide the processes of other users.
    return true
  }
}

/** Whether a process has this id, be it one that has ended. */
function isTaken(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** A server works in its data folder, which distinguishes it from another process that has its process id by now, another PostgreSQL included. */
function isServing(pid: number, dataFolder: string): boolean {
  if (!isAlive(pid)) return false
  try {
    if (existsSync('/proc/self')) return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(dataFolder)
    return execFileSync('ps', ['-p', String(pid), '-o', 'command='])
      .toString()
      .includes(dataFolder)
  } catch {
    return false
  }
}
