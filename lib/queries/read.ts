/** Why a read failed: the console's stable code, its sentence, and the request id to quote. Status 0: no response at all. */
export class ReadError extends Error {
  readonly status: number
  readonly code: string
  readonly requestId: string | null

  constructor(status: number, code: string, message: string, requestId: string | null) {
    super(message)
    this.name = 'ReadError'
    this.status = status
    this.code = code
    this.requestId = requestId
  }
}

/** Reads JSON from the console's own API. Throws `ReadError`. */
export async function readJson<Data>(path: string, signal?: AbortSignal): Promise<Data> {
  const response = await fetch(path, {
    headers: { accept: 'application/json' },
    cache: 'no-store',
    signal: signal ?? null,
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error
    throw new ReadError(0, 'CONSOLE_UNREACHABLE', 'Carddesk isn’t responding. Check your connection.', null)
  })
  const requestId = response.headers.get('x-request-id')
  const body: unknown = await response.json().catch(() => null)
  if (response.ok && body !== null) return body as Data
  const { code, message } = (body ?? {}) as { code?: string; message?: string }
  throw new ReadError(
    response.status,
    code ?? 'UNEXPECTED',
    message ?? 'The console could not read this. Try again.',
    requestId,
  )
}

/** A file with what it says of itself: label and value. */
export type DownloadedFile = { name: string; facts: [label: string, value: string][]; content: Blob }

function factsOf(response: Response): DownloadedFile['facts'] {
  const text = response.headers.get('x-file-facts')
  return text === null ? [] : (JSON.parse(decodeURIComponent(text)) as DownloadedFile['facts'])
}

/** A file of the console's own API. Throws `ReadError`. */
export async function readFile(path: string, signal: AbortSignal): Promise<DownloadedFile> {
  const response = await fetch(path, { cache: 'no-store', signal }).catch((error: unknown) => {
    if (signal.aborted) throw error
    throw new ReadError(0, 'CONSOLE_UNREACHABLE', 'Carddesk isn’t responding. Check your connection.', null)
  })
  const requestId = response.headers.get('x-request-id')
  if (!response.ok) {
    const { code, message } = (await response.json().catch(() => ({}))) as { code?: string; message?: string }
    throw new ReadError(response.status, code ?? 'UNEXPECTED', message ?? 'The file could not be made.', requestId)
  }
  const [, name = 'export.csv'] = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '') ?? []
  return { name, facts: factsOf(response), content: await response.blob() }
}

/** A read that failed for good (not signed in, not permitted, not found, wrong input) is not tried again. */
export function isWorthRetrying(failures: number, error: Error): boolean {
  return failures < 2 && !(error instanceof ReadError && error.status >= 400 && error.status < 500)
}
