import 'server-only'
import { setTimeout as delay } from 'node:timers/promises'
import { feeIndex } from '#lib/console/fees/index-fees.ts'
import { ledgerIndex } from '#lib/console/ledger/index-ledger.ts'
import { payoutIndex } from '#lib/console/payouts/index-payouts.ts'
import { inBackground } from '#lib/environments/background.ts'
import { accountIndex } from '#lib/index/accounts-sync.ts'
import { readSomeCards } from '#lib/index/cards-sync.ts'
import { publish } from '#lib/live/publish.ts'
import { noteContents } from '#lib/operations/approvals/sandbox-contents.ts'
import { logFailure } from '#lib/shared/log.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { secondMs } from '#lib/shared/time.ts'

/** How long a person waits for the lists; a larger sandbox is read on in the background. */
const waitMs = 5 * secondMs
const pauseMs = 100
const giveUpAfterMs = 60 * secondMs

/**
 * Reads the index of accounts, cards, payouts, fees and the ledger again after everything in the sandbox was replaced. Returns when they are
 * read, or after some seconds: the rest is published when it is there. Never throws.
 */
export async function readIndexAgain(environment: Environment): Promise<void> {
  const reading = inBackground(async () => {
    await noteContents(environment)
    await Promise.all([
      readAgain(() => accountIndex.readAll(environment)).then(() =>
        readSomeCards(environment, { before: new Date(), againPerMinute: Infinity }),
      ),
      readAgain(() => payoutIndex.readAll(environment)),
      readAgain(() => feeIndex.readAll(environment)),
      readAgain(() => ledgerIndex.readAll(environment)),
    ])
    publish(environment, [
      { type: 'cardaccounts' },
      { type: 'payouts' },
      { type: 'fees' },
      { type: 'funding-accounts' },
    ])
  }).catch((error: unknown) => logFailure(error, { while: 'reading the sandbox after it was replaced' }))
  await Promise.race([reading, delay(waitMs, undefined, { ref: false })])
}

/** A sync that another process is running may have started before the change: waits for it. */
async function readAgain(read: () => Promise<boolean>): Promise<void> {
  const giveUpAt = Date.now() + giveUpAfterMs
  while (!(await read()) && Date.now() < giveUpAt) await delay(pauseMs)
}
