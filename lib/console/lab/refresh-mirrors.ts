import 'server-only'
import { setTimeout as delay } from 'node:timers/promises'
import type { Environment } from '#lib/shared/routes.ts'
import { secondMs } from '#lib/shared/time.ts'
import { inBackground } from '../desk/background.ts'
import { publish } from '../desk/live/publish.ts'
import { logFailure } from '../desk/log.ts'
import { accountsMirror } from '../desk/mirror/accounts-sync.ts'
import { readSomeCards } from '../desk/mirror/cards-sync.ts'
import { payoutsMirror } from '../payouts/reading.ts'

/** How long a person waits for the lists; a larger sandbox is read on in the background. */
const waitMs = 5 * secondMs
const pauseMs = 100
const giveUpAfterMs = 60 * secondMs

/**
 * Reads the mirrors of accounts, cards and payouts again after everything in the sandbox was replaced. Returns when they are
 * read, or after some seconds: the rest is published when it is there. Never throws.
 */
export async function refreshMirrors(environment: Environment): Promise<void> {
  const reading = inBackground(async () => {
    await Promise.all([
      readAgain(() => accountsMirror.readAll(environment)).then(() =>
        readSomeCards(environment, { before: new Date(), againPerMinute: Infinity }),
      ),
      readAgain(() => payoutsMirror.readAll(environment)),
    ])
    publish(environment, [{ type: 'cardaccounts' }, { type: 'payouts' }])
  }).catch((error: unknown) => logFailure(error, { while: 'reading the sandbox after it was replaced' }))
  await Promise.race([reading, delay(waitMs, undefined, { ref: false })])
}

/** A reading of another process that is under way may have begun before: it is waited for. */
async function readAgain(read: () => Promise<boolean>): Promise<void> {
  const giveUpAt = Date.now() + giveUpAfterMs
  while (!(await read()) && Date.now() < giveUpAt) await delay(pauseMs)
}
