import { type Environment, makePath, type Search } from '#lib/shared/routes.ts'
import { approvalReads } from './approvals.ts'
import { auditReads } from './audit.ts'
import { bulkReads } from './bulk.ts'
import { cardAccountReads } from './card-accounts.ts'
import { cardReads } from './cards.ts'
import { connectionReads } from './connection.ts'
import { embedReads } from './embed.ts'
import { feeReads } from './fees.ts'
import { homeReads } from './home.ts'
import { identityReads } from './identity.ts'
import { inboxReads } from './inbox.ts'
import { labReads } from './lab.ts'
import { limitReads } from './limits.ts'
import { noteReads } from './notes.ts'
import { operationReads } from './operations.ts'
import { payoutReads } from './payouts.ts'
import { rateReads } from './rates.ts'
import type { ReadDefinition } from './read.ts'
import { referenceReads } from './references.ts'
import { reproduceReads } from './reproduce.ts'
import { requestReads } from './requests.ts'
import { staffReads } from './staff.ts'
import { transactionReads } from './transactions.ts'
import { webhookReads } from './webhooks.ts'

/** Every read of the browser's API under its name. A resource has its rows in a file of its own, and their bodies in `lib/console/<resource>/api.ts`. */
export const readDefinitions = {
  ...approvalReads,
  ...auditReads,
  ...bulkReads,
  ...cardAccountReads,
  ...cardReads,
  ...connectionReads,
  ...embedReads,
  ...feeReads,
  ...homeReads,
  ...identityReads,
  ...inboxReads,
  ...labReads,
  ...limitReads,
  ...noteReads,
  ...operationReads,
  ...payoutReads,
  ...rateReads,
  ...referenceReads,
  ...reproduceReads,
  ...requestReads,
  ...staffReads,
  ...transactionReads,
  ...webhookReads,
}

export type ReadName = keyof typeof readDefinitions

/** The definition of a read. */
export function findReadDefinition(name: ReadName): ReadDefinition {
  return readDefinitions[name]
}

type FirstOf<Path extends string> = Path extends `${infer First}/${string}` ? First : Path

/** The resource of a read: the first segment of its path. */
export type ReadTopic = FirstOf<(typeof readDefinitions)[ReadName]['path']>

export function readTopic(name: ReadName): ReadTopic {
  return readDefinitions[name].path.split('/', 1)[0] as ReadTopic
}

/** URL of a read. `args` are the ids of its path, then its search if it has one. */
export function readUrl(
  name: ReadName,
  environment: Environment,
  args: readonly (string | Search | undefined)[],
): string {
  const given = [...args]
  const segments = readDefinitions[name].path
    .split('/')
    .map((segment) => (segment.startsWith('[') ? String(given.shift() ?? '') : segment))
  const [search] = given
  return makePath(['api', environment, ...segments], typeof search === 'object' ? search : {})
}

/** URL of a list's CSV file, with all of its pages: the list's own path with `.csv`. */
export function exportUrl(...list: Parameters<typeof readUrl>): string {
  return readUrl(...list).replace(/(?=\?|$)/, '.csv')
}

/** The read at a path, and the ids of the path; null where there is none. A fixed segment counts before an id. */
export function findRead(path: readonly string[]): { name: ReadName; ids: string[] } | null {
  const found = rows.find(
    ({ segments }) =>
      segments.length === path.length &&
      segments.every((segment, index) => segment.startsWith('[') || segment === path[index]),
  )
  return found ? { name: found.name, ids: path.filter((_, index) => found.segments[index]?.startsWith('[')) } : null
}

const idCount = (segments: readonly string[]) => segments.filter((segment) => segment.startsWith('[')).length

const rows = Object.entries(readDefinitions)
  .map(([name, { path }]) => ({ name: name as ReadName, segments: path.split('/') }))
  .toSorted((one, other) => idCount(one.segments) - idCount(other.segments))
