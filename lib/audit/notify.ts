import { secondMs } from '#lib/shared/time.ts'

const timeoutMs = 10 * secondMs

/** The Slack-compatible URL that is notified of alerts; null where none is set. */
export function notifyUrl(): string | null {
  return process.env.NOTIFY_URL?.trim() || null
}

/** Sends a text to `NOTIFY_URL`, where one is set. Throws where that does not return 2xx. */
export async function postNotice(text: string): Promise<void> {
  const url = notifyUrl()
  if (!url) return
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ text }),
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  })
  await response.body?.cancel()
  if (!response.ok) throw new Error(`NOTIFY_URL returned ${response.status}`)
}

/** A text within a notice: Slack reads <, > and & as markup. */
export function escapedForNotice(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
