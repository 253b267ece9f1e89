import type { Tone } from '#components/ui/tone.ts'
import type { accountTypes as contractAccountTypes } from '#lib/contract/card-accounts.ts'
import type { clientIdentityStatuses as contractStatuses } from '#lib/contract/client-identity.ts'

type ClientIdentityStatus = (typeof contractStatuses)[number]
type AccountType = (typeof contractAccountTypes)[number]

type IdentityEntry = { word: string; tone: Tone; meaning: string }

const identityTable: Record<ClientIdentityStatus, IdentityEntry> = {
  approved: { word: 'Approved', tone: 'good', meaning: 'The client’s identity has been checked and approved.' },
  pending: {
    word: 'Pending',
    tone: 'warn',
    meaning: 'The client’s identity is under review; nothing has been decided yet.',
  },
  rejected: {
    word: 'Rejected',
    tone: 'bad',
    meaning: 'The client’s identity was rejected; the client has to send it again with what was missing.',
  },
}

/** Read from the words, since the contract's own lists would bring its schemas into the browser. */
export const clientIdentityStatuses = Object.keys(identityTable) as ClientIdentityStatus[]

/** The entry of an identity status; an unknown one is shown as the service sent it. */
export function identityEntry(status: string): IdentityEntry {
  return (
    (Object.hasOwn(identityTable, status) ? identityTable[status as ClientIdentityStatus] : undefined) ?? {
      word: status,
      tone: 'neutral',
      meaning: 'The console has no words for this status; it is shown as the service sent it.',
    }
  )
}

const accountTypeTable: Record<AccountType, { word: string; meaning: string }> = {
  prepaid: { word: 'Prepaid', meaning: 'spends what has been loaded' },
  credit: { word: 'Credit', meaning: 'spends up to its limit and repays what is outstanding' },
}

export const accountTypes = Object.keys(accountTypeTable) as AccountType[]

export function accountTypeEntry(type: string): { word: string; meaning: string } {
  return (
    (Object.hasOwn(accountTypeTable, type) ? accountTypeTable[type as AccountType] : undefined) ?? {
      word: type,
      meaning: 'shown as the service sent it',
    }
  )
}

/** `department` → "no department": what the group without the key is called. */
export function groupName(group: string, groupKey: string | null): string {
  if (group !== '') return group
  return groupKey === null ? 'All accounts' : `no ${groupKey}`
}
