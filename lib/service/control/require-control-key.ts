import { findAccessKey } from '../access-keys.ts'
import { ServiceRefusal } from '../refusal.ts'
import type { Service } from '../service.ts'
import { userOfBasic } from '../steps/authenticate.ts'

/** Throws `INVALID_ACCESS_KEY` unless the header is HTTP Basic with an access key of this sandbox and an empty password. */
export async function requireControlKey({ db }: Service, authorization: string | null): Promise<void> {
  const [, credentials = ''] = /^Basic +(\S+) *$/i.exec(authorization ?? '') ?? []
  const user = userOfBasic(credentials)
  if (user !== null && (await findAccessKey(db, user))) return
  throw new ServiceRefusal(
    'INVALID_ACCESS_KEY',
    'the control plane takes an access key of the sandbox, by HTTP Basic',
    {
      'WWW-Authenticate': 'Basic realm="control"',
    },
  )
}
