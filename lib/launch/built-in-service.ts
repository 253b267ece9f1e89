import { chmodSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Database } from '#lib/db/connection.ts'
import { registerAccessKey } from '#lib/service/access-keys.ts'
import { seedService } from '#lib/service/seed/seed.ts'
import { sealServiceKeys } from '#lib/service/service-keys.ts'
import { readServiceSettings } from '#lib/service/service-settings.ts'
import { storeWebhookKey } from '#lib/service/webhooks/signer.ts'
import { readPem } from '#lib/settings/settings.ts'
import { readServiceIdentity, type ServiceIdentity } from './keys.ts'

/**
 * Prepares the built-in service for its callers: its own keys are sealed, their keys are registered, the seed is there, and the file that it returns
 * says how a reader of it calls the service. That caller has a key of its own: its rate limit and its idempotency
 * keys are not the console's. Says so where the contents are of an earlier start, and a setting of them counts for the next reset alone.
 */
export async function prepareBuiltInService(
  db: Database,
  consoleIdentity: ServiceIdentity | null,
  place: { dataDir: string; origin: string },
  say: (line: string) => void,
): Promise<string> {
  const { SANDBOX_ACCESS_KEY, SANDBOX_CALLER_PUBLIC_KEY } = process.env
  const generated = readServiceIdentity(place.dataDir, 'caller')
  const caller = {
    ...generated,
    accessKey: SANDBOX_ACCESS_KEY?.trim().toLowerCase() || generated.accessKey,
    publicKeyPem: SANDBOX_CALLER_PUBLIC_KEY ? readPem(SANDBOX_CALLER_PUBLIC_KEY) : generated.publicKeyPem,
  }
  for (const [name, identity] of [
    ['Carddesk console', consoleIdentity],
    ['Callers with the access file', caller],
  ] as const)
    if (identity) await registerAccessKey(db, { id: identity.accessKey, name, publicKeyPem: identity.publicKeyPem })
  const settings = readServiceSettings(process.env)
  await sealServiceKeys({ db, settings })
  const webhookKey = process.env.SANDBOX_WEBHOOK_KEY
  if (webhookKey) await storeWebhookKey({ db, settings }, readPem(webhookKey))
  const isSeeded = await seedService(db, {
    ...settings,
    ...(consoleIdentity ? {} : { consoleInboxUrl: undefined }),
    cardAccounts: settings.seededCardAccounts,
    now: settings.startsAt ?? new Date(),
  })
  const ofContents = ['SANDBOX_SEED_FILE', 'SANDBOX_CLOCK'].filter((name) => process.env[name])
  if (!isSeeded && ofContents.length > 0)
    say(`Sandbox   contents of an earlier start; what ${ofContents.join(' and ')} says comes with the next reset`)

  const accessFile = path.join(place.dataDir, 'service-access.json')
  const access = {
    baseUrl: `${place.origin}/service/v1`,
    accessKey: caller.accessKey,
    // An operator who set a public key has the private one.
    ...(SANDBOX_CALLER_PUBLIC_KEY ? {} : { privateKeyFile: caller.privateKeyFile }),
    controlUrl: `${place.origin}/service/control`,
  }
  writeFileSync(accessFile, `${JSON.stringify(access, null, 2)}\n`, { mode: 0o600 })
  chmodSync(accessFile, 0o600)
  return accessFile
}

/**
 * A line for a shell that calls the service. It reads the key from the file, so that the key is never on the screen; one that has to
 * be signed goes by the command that signs.
 */
export function callLine(baseUrl: string, accessFile: string, { acceptsBasic }: { acceptsBasic: boolean }): string {
  if (!acceptsBasic) return `DATA_DIR='${path.dirname(accessFile)}' npm run --silent service -- GET /ping`
  const readKey = `node -p 'JSON.parse(fs.readFileSync(process.argv[1])).accessKey' '${accessFile}'`
  return `curl -u "$(${readKey}):" ${baseUrl}/ping`
}
