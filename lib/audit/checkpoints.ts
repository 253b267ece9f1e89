import { createPublicKey, hash, sign, verify, type KeyObject } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { z } from 'zod'
import { genesis } from './chain.ts'

const Hex64 = z.string().regex(/^[0-9a-f]{64}$/)

/** Hexadecimal characters of each entry's hash that a checkpoint holds. */
const shortHash = 16

/**
 * One line of a checkpoint file: a signature over the position of the audit chain, and over the line before. Access to the
 * database is not enough to make one, since the key is not in it.
 */
const Checkpoint = z.strictObject({
  /** Position in the file, from 1 without gaps. */
  sequence: z.int().positive(),
  /** Entries of the audit log, and the hash of the last of them. */
  entries: z.int().nonnegative(),
  head: Hex64,
  at: z.iso.datetime(),
  /** SHA-256 of the line before. */
  previous: Hex64,
  /** The beginning of the SHA-256 of the public key. */
  key: z.string().regex(/^[0-9a-f]{16}$/),
  /** The beginning of the hash of each entry since the checkpoint before, so that the first wrong one can be named. */
  hashes: z.string().regex(/^[0-9a-f]*$/),
  signature: z.base64(),
})
export type Checkpoint = z.output<typeof Checkpoint>

/** A checkpoint as it is in a file. */
export type StoredCheckpoint = Checkpoint & { lineHash: string }

/** Entries that one checkpoint signs at most: its line has some 32 kB then. */
export const mostPerCheckpoint = 2000

export function hashLine(line: string): string {
  return hash('sha256', line, 'hex')
}

/** The line of the next checkpoint, without its newline. `hashes` are those of the entries since `last`, one or more. */
export function makeCheckpoint(key: KeyObject, last: StoredCheckpoint | null, hashes: readonly string[]): string {
  const signed = {
    sequence: (last?.sequence ?? 0) + 1,
    entries: (last?.entries ?? 0) + hashes.length,
    head: hashes.at(-1) ?? genesis,
    at: new Date().toISOString(),
    previous: last?.lineHash ?? genesis,
    key: keyId(createPublicKey(key)),
    hashes: hashes.map((each) => each.slice(0, shortHash)).join(''),
  }
  const signature = sign(null, signedBytes(signed), key).toString('base64')
  return JSON.stringify({ ...signed, signature })
}

type CheckpointProblem = 'missing' | 'altered' | 'not linked' | 'other key'
export type CheckpointFile = {
  checkpoints: StoredCheckpoint[]
  /** The first line that does not hold. The checkpoints are those before it. */
  broken: { sequence: number; problem: CheckpointProblem } | null
  /** Bytes of whole lines. What follows them was not written to its end. */
  wholeBytes: number
}

/** A line of a file with its newline left out; `end` is the bytes up to and with that newline. */
type Line = { line: string; end: number }

/** The whole lines of a file from a byte on, as it is read; none where there is no file. */
export async function* linesOfFile(file: string, from = 0): AsyncGenerator<Line> {
  let rest = Buffer.alloc(0)
  let end = from
  try {
    for await (const chunk of createReadStream(file, { start: from })) {
      rest = Buffer.concat([rest, chunk as Buffer])
      let begin = 0
      for (let at = rest.indexOf(newline); at >= 0; at = rest.indexOf(newline, begin)) {
        end += at + 1 - begin
        yield { line: rest.toString('utf8', begin, at), end }
        begin = at + 1
      }
      rest = rest.subarray(begin)
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}

const newline = 10

/**
 * Reads checkpoints, those of a file from the start or those that follow `after`. Each line holds the hash of the one before, so
 * the signature of the last proves all; the others are verified where something is wrong, to name the first.
 */
export async function readCheckpoints(
  lines: AsyncIterable<Line>,
  publicKey: KeyObject,
  after: { last: StoredCheckpoint; wholeBytes: number } | null = null,
): Promise<CheckpointFile> {
  const checkpoints: StoredCheckpoint[] = []
  const before = after?.last.sequence ?? 0
  const id = keyId(publicKey)
  let wholeBytes = after?.wholeBytes ?? 0
  const brokenAt = (problem: CheckpointProblem): CheckpointFile => {
    const unsigned = checkpoints.findIndex((checkpoint) => !isSigned(checkpoint, publicKey))
    if (unsigned >= 0) {
      const sequence = before + unsigned + 1
      return { checkpoints: checkpoints.slice(0, unsigned), broken: { sequence, problem: 'altered' }, wholeBytes }
    }
    return { checkpoints, broken: { sequence: before + checkpoints.length + 1, problem }, wholeBytes }
  }
  for await (const { line, end } of lines) {
    const last = checkpoints.at(-1) ?? after?.last
    const checkpoint = parseLine(line)
    if (!checkpoint) return brokenAt('altered')
    if (checkpoint.key !== id) return brokenAt('other key')
    if (checkpoint.previous !== (last?.lineHash ?? genesis)) {
      // Either this line is not the one that followed, or the line before was changed.
      return brokenAt(isSigned(checkpoint, publicKey) ? 'not linked' : 'altered')
    }
    const entries = (last?.entries ?? 0) + checkpoint.hashes.length / shortHash
    const sequence = before + checkpoints.length + 1
    if (checkpoint.sequence !== sequence || checkpoint.entries !== entries) return brokenAt('altered')
    checkpoints.push({ ...checkpoint, lineHash: hashLine(line) })
    wholeBytes = end
  }
  const last = checkpoints.at(-1)
  return last && !isSigned(last, publicKey) ? brokenAt('altered') : { checkpoints, broken: null, wholeBytes }
}

function parseLine(line: string): Checkpoint | null {
  try {
    return Checkpoint.parse(JSON.parse(line))
  } catch {
    return null
  }
}

function isSigned({ signature, ...signed }: Checkpoint, publicKey: KeyObject): boolean {
  return verify(null, signedBytes(signed), publicKey, Buffer.from(signature, 'base64'))
}

function signedBytes({ sequence, entries, head, at, previous, key, hashes }: Omit<Checkpoint, 'signature'>): Buffer {
  return Buffer.from(`carddesk audit ${JSON.stringify([sequence, entries, head, at, previous, key, hashes])}`)
}

function keyId(publicKey: KeyObject): string {
  return hash('sha256', publicKey.export({ type: 'spki', format: 'der' }), 'hex').slice(0, 16)
}

/** Whether the checkpoints allow an entry with that hash. Call it in the order of the entries. */
export function signedHashes(
  checkpoints: readonly Checkpoint[],
  from: number,
): (number: number, hash: string) => boolean {
  let index = checkpoints.findIndex(({ entries }) => entries > from)
  return (number, entryHash) => {
    while (index >= 0 && index < checkpoints.length && (checkpoints[index]?.entries ?? 0) < number) index += 1
    const checkpoint = index < 0 ? undefined : checkpoints[index]
    if (!checkpoint) return true
    const { entries, head, hashes } = checkpoint
    if (number === entries && entryHash !== head) return false
    const offset = hashes.length - (entries - number + 1) * shortHash
    return hashes.slice(offset, offset + shortHash) === entryHash.slice(0, shortHash)
  }
}
