import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { readBody } from './read-body.ts'

test('what arrives of a body beyond 1 MiB is left unread', async () => {
  const message = new Readable({ read: () => undefined })
  message.push(Buffer.alloc(2 * 1024 * 1024))
  const body: ReadableStream = Readable.toWeb(message)
  const request = new Request('http://server/', { method: 'POST', body, duplex: 'half' } as RequestInit)
  // The adapter has paused the message by then, and reads on as the body is read.
  await setImmediate()
  message.push(Buffer.alloc(1024))
  await expect(readBody(request)).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' })
  await setImmediate()
})
