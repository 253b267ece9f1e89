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

/** Shown where a read without an effect got no response. */
export const consoleUnreachable = 'Carddesk isn’t responding. Check your connection.'

/** Sends a GET request to the console's own API. Throws `ReadError` where no response comes. */
async function request(path: string, signal: AbortSignal | undefined): Promise<Response> {
  return fetch(path, { cache: 'no-store', signal: signal ?? null }).catch((error: unknown) => {
    if (signal?.aborted) throw error
    throw new ReadError(0, 'CONSOLE_UNREACHABLE', consoleUnreachable, null)
  })
}

function toReadError({ status, headers }: Response, body: unknown, unexpected: string): ReadError {
  const { code = 'UNEXPECTED', message = unexpected } = (body ?? {}) as { code?: string; message?: string }
  return new ReadError(status, code, message, headers.get('x-request-id'))
}

/** Reads JSON from the console's own API. Throws `ReadError`. */
export async function readJson<Data>(path: string, signal?: AbortSignal): Promise<Data> {
  const response = await request(path, signal)
  const body: unknown = await response.json().catch(() => null)
  if (response.ok && body !== null) return body as Data
  throw toReadError(response, body, 'The console could not read this. Try again.')
}

/** A file with what it says of itself: label and value. */
export type DownloadedFile = { name: string; facts: [label: string, value: string][]; content: Blob }

function parseFileFacts(response: Response): DownloadedFile['facts'] {
  const text = response.headers.get('x-file-facts')
  return text === null ? [] : (JSON.parse(decodeURIComponent(text)) as DownloadedFile['facts'])
}

/** A file of the console's own API. Throws `ReadError`. */
export async function readFile(path: string, signal: AbortSignal): Promise<DownloadedFile> {
  const response = await request(path, signal)
  if (!response.ok) throw toReadError(response, await response.json().catch(() => null), 'The file could not be made.')
  const [, name = 'export.csv'] = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '') ?? []
  return { name, facts: parseFileFacts(response), content: await response.blob() }
}

/** A read that failed for good (not signed in, not permitted, not found, wrong input) is not tried again. */
export function isWorthRetrying(failures: number, error: Error): boolean {
  return failures < 2 && !(error instanceof ReadError && error.status >= 400 && error.status < 500)
}
