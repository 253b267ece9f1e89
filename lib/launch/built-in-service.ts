import { chmodSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Database } from '#lib/db/connection.ts'
import { registerAccessKey } from '#lib/service/access-keys.ts'
import { seedService } from '#lib/service/seed/seed.ts'
import { sealServiceKeys } from '#lib/service/service-keys.ts'
import { readServiceSettings } from '#lib/service/settings.ts'
import { readServiceIdentity, type ServiceIdentity } from './keys.ts'

/**
 * Prepares the built-in service for its callers: its own keys are sealed, their keys are registered, the seed is there, and the file that it returns
 * says how a reader of it calls the service. That caller has a key of its own: its rate limit and its idempotency
 * keys are not the console's.
 */
export async function prepareBuiltInService(
  db: Database,
  consoleIdentity: ServiceIdentity,
  place: { dataDir: string; origin: string },
): Promise<string> {
  const caller = readServiceIdentity(place.dataDir, 'caller')
  for (const [name, { accessKey: id, publicKeyPem }] of [
    ['Carddesk console', consoleIdentity],
    ['Callers with the access file', caller],
  ] as const)
    await registerAccessKey(db, { id, name, publicKeyPem })
  const settings = readServiceSettings(process.env)
  const { seededCardAccounts, cardNumberKey, consoleInboxUrl } = settings
  await sealServiceKeys({ db, settings })
  await seedService(db, { cardAccounts: seededCardAccounts, now: new Date(), cardNumberKey, consoleInboxUrl })

  const accessFile = path.join(place.dataDir, 'service-access.json')
  const access = {
    baseUrl: `${place.origin}/service/v1`,
    accessKey: caller.accessKey,
    privateKeyFile: caller.privateKeyFile,
    controlUrl: `${place.origin}/service/control`,
  }
  writeFileSync(accessFile, `${JSON.stringify(access, null, 2)}\n`, { mode: 0o600 })
  chmodSync(accessFile, 0o600)
  return accessFile
}

/** A line for a shell that calls the service. It reads the key from the file, so that the key is never on the screen. */
export function curlLine(baseUrl: string, accessFile: string): string {
  const readKey = `node -p 'JSON.parse(fs.readFileSync(process.argv[1])).accessKey' '${accessFile}'`
  return `curl -u "$(${readKey}):" ${baseUrl}/ping`
}
