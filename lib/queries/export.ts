import { ReadError } from './read.ts'

/** A file of the console's own API. Throws `ReadError`. */
export async function readFile(path: string, signal: AbortSignal): Promise<{ name: string; content: Blob }> {
  const response = await fetch(path, { cache: 'no-store', signal }).catch((error: unknown) => {
    if (signal.aborted) throw error
    throw new ReadError(0, 'CONSOLE_UNREACHABLE', 'The console does not answer. Check your connection.', null)
  })
  const requestId = response.headers.get('x-request-id')
  if (!response.ok) {
    const { code, message } = (await response.json().catch(() => ({}))) as { code?: string; message?: string }
    throw new ReadError(response.status, code ?? 'UNEXPECTED', message ?? 'The file could not be made.', requestId)
  }
  const [, name = 'export.csv'] = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '') ?? []
  return { name, content: await response.blob() }
}
