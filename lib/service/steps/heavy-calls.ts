import { ApiError } from '../api-error.ts'

/** A body with more items than this in one array keeps a transaction busy for long. */
const lightItems = 50
/** How many heavy calls run at once in this process: of one access key, and of all. */
const bounds = { ofKey: 2, ofProcess: 4 }
const retryAfterSeconds = 2

const running = new Map<string, number>()

/**
 * Counts a call with a long array as running until the returned function is called; light calls are not counted. Throws
 * `RATE_LIMITED` where enough of them run already: each holds the locks of all its rows, and others wait for these.
 */
export function enterHeavyCall(accessKey: string, body: unknown): () => void {
  if (!isHeavy(body)) return () => undefined
  const ofKey = running.get(accessKey) ?? 0
  const ofProcess = running.values().reduce((sum, count) => sum + count, 0)
  if (ofKey >= bounds.ofKey || ofProcess >= bounds.ofProcess) {
    throw new ApiError('RATE_LIMITED', 'too many requests with long arrays are being worked on', {
      'Retry-After': String(retryAfterSeconds),
    })
  }
  running.set(accessKey, ofKey + 1)
  return () => {
    const left = (running.get(accessKey) ?? 1) - 1
    if (left > 0) running.set(accessKey, left)
    else running.delete(accessKey)
  }
}

function isHeavy(body: unknown): boolean {
  if (typeof body !== 'object' || body === null) return false
  return [body, ...Object.values(body)].some((part) => Array.isArray(part) && part.length > lightItems)
}
