import { randomUUID } from 'node:crypto'
import { open, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** Text that waits to be sent, outside of memory. Its file has no name any more, so nothing of it survives the process. */
export type Spool = {
  write: (text: string) => Promise<void>
  /** What was written, from the beginning, as UTF-8; the spool closes at its end, or when its reader is gone. */
  stream: (head: string) => ReadableStream<Uint8Array>
  close: () => Promise<void>
}

const chunkBytes = 64 * 1024

export async function openSpool(): Promise<Spool> {
  const file = path.join(tmpdir(), `carddesk-${randomUUID()}`)
  const handle = await open(file, 'wx+', 0o600)
  await unlink(file)
  let length = 0
  let isOpen = true
  const close = async () => {
    if (!isOpen) return
    isOpen = false
    await handle.close()
  }
  return {
    close,
    async write(text) {
      const bytes = Buffer.from(text)
      await handle.write(bytes, 0, bytes.length, length)
      length += bytes.length
    },
    stream(head) {
      let position = 0
      return new ReadableStream<Uint8Array>({
        start(controller) {
          controller.enqueue(Buffer.from(head))
        },
        async pull(controller) {
          const wanted = Math.min(chunkBytes, length - position)
          const { bytesRead, buffer } = await handle.read(Buffer.alloc(wanted), 0, wanted, position)
          if (bytesRead > 0) controller.enqueue(buffer.subarray(0, bytesRead))
          position += bytesRead
          if (position < length && bytesRead > 0) return
          await close()
          controller.close()
        },
        cancel: close,
      })
    },
  }
}
