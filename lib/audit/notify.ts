import type { SQL } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { backOff, inSeconds } from '#lib/db/queue.ts'
import { secondMs } from '#lib/shared/time.ts'

const timeoutMs = 10 * secondMs

/** The Slack-compatible URL that is notified of alerts; null where none is set. */
export function notifyUrl(): string | null {
  return process.env.NOTIFY_URL?.trim() || null
}

/** Sends a text to `NOTIFY_URL`, where one is set. Throws where that does not return 2xx. */
export async function postNotice(text: string): Promise<void> {
  const address = notifyUrl()
  if (address) await postTo('NOTIFY_URL', address, 'application/json', JSON.stringify({ text }))
}

/** Sends a body to the address of a setting; a user and a password in it go as HTTP Basic. Throws where that does not return 2xx. */
export async function postTo(setting: string, address: string, contentType: string, body: string): Promise<void> {
  const url = new URL(address)
  const { username, password } = url
  const credentials = [username, password].map(decodeURIComponent).join(':')
  Object.assign(url, { username: '', password: '' })
  const response = await fetch(url.href, {
    method: 'POST',
    headers: {
      'content-type': contentType,
      ...(username && { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` }),
    },
    body,
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  })
  await response.body?.cancel()
  if (!response.ok) throw new Error(`${setting} returned ${response.status}`)
}

/** How often a notice that waits in a table is sent at most. */
export const noticeAttempts = 12

/** When a notice is due again after so many attempts: in a minute, and in 17 minutes at most. */
export function noticeRetryAt(attempts: AnyPgColumn): SQL {
  return inSeconds(backOff(attempts, { least: 60, most: 1024 }))
}

/** A text within a notice: Slack reads <, > and & as markup. */
export function escapedForNotice(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
