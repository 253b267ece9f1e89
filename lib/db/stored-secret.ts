import { randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/**
 * The content of a file of mode 0600, made at the first call. Two processes that start at once end up with the same
 * content, and a kill leaves no half-written file: it is written under another name and linked into place.
 */
export function readOrMakeSecret(file: string, make: () => string): string {
  const stored = readIfThere(file)
  if (stored !== null) return stored
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  const fresh = `${file}.${randomBytes(6).toString('hex')}`
  try {
    writeFileSync(fresh, make(), { mode: 0o600, flush: true })
    linkSync(fresh, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(fresh, { force: true })
  }
  return readFileSync(file, 'utf8')
}

/** The content of a file; null where there is none. */
export function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
