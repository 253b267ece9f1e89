import { createHash, timingSafeEqual } from 'node:crypto'
import { ServiceRefusal } from '../refusal.ts'
import type { ServiceSettings } from '../settings.ts'
import { userOfBasic } from '../steps/authenticate.ts'

/** Throws `INVALID_ACCESS_KEY` unless the header is HTTP Basic with the sandbox's access key and an empty password. */
export function requireControlKey(
  settings: Pick<ServiceSettings, 'sandboxAccessKey'>,
  authorization: string | null,
): void {
  const [, credentials = ''] = /^Basic +(\S+) *$/i.exec(authorization ?? '') ?? []
  const user = userOfBasic(credentials)
  if (user !== null && isSame(user.toLowerCase(), settings.sandboxAccessKey)) return
  throw new ServiceRefusal(
    'INVALID_ACCESS_KEY',
    'the control plane takes the access key of the sandbox, by HTTP Basic',
    {
      'WWW-Authenticate': 'Basic realm="control"',
    },
  )
}

function isSame(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(one), digest(other))
}
