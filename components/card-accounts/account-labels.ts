import { findEntry } from '#components/ui/code-entry.ts'
import type { AccountType, ClientIdentityStatus } from '#lib/contract/terms.ts'
import { shortId } from '#lib/shared/ids.ts'
import { type CodeEntry, codeEntry, codeInSentence, codeLabel } from '../ui/code-entry.ts'

export const identityTable: Record<ClientIdentityStatus, CodeEntry> = {
  approved: { label: 'Approved', tone: 'good', meaning: 'The client’s identity has been checked and approved.' },
  pending: {
    label: 'Pending',
    tone: 'warn',
    meaning: 'The client’s identity is under review; nothing has been decided yet.',
  },
  rejected: {
    label: 'Rejected',
    tone: 'bad',
    meaning: 'The client’s identity was rejected. Its page under Identity says what to ask for.',
  },
}

/** The entry of an identity status; an unknown one is shown as the service sent it. */
export function identityEntry(status: string | null): CodeEntry {
  return codeEntry(identityTable, status)
}

/** "approved", "not provided": an identity status within a sentence. */
export function identityInSentence(status: string | null): string {
  return codeInSentence(identityTable, status)
}

export const accountTypeLabels: Record<AccountType, string> = { prepaid: 'Prepaid', credit: 'Credit' }

const accountTypeMeanings: Record<AccountType, string> = {
  prepaid: 'spends what has been loaded',
  credit: 'spends up to its limit and repays what is outstanding',
}

export function accountTypeLabel(type: string | null): string {
  return codeLabel(accountTypeLabels, type)
}

/** "Prepaid: spends what has been loaded"; an unknown type as sent. */
export function accountTypeText(type: string): string {
  return `${accountTypeLabel(type)}: ${findEntry(accountTypeMeanings, type) ?? 'shown as the card service sent it'}`
}

/** Title of an account: its name, its external ID, or its shortened id. */
export function accountTitle({ id, name, xid }: { id: string; name: string | null; xid?: string | null }): string {
  return name || xid || `Account ${shortId(id)}`
}

/** `department` → "no department": what the group without the key is called. Null: the service did not provide the group. */
export function groupName(group: string | null, groupKey: string | null): string {
  if (group === null) return 'Group not provided'
  if (group !== '') return group
  return groupKey === null ? 'All accounts' : `no ${groupKey}`
}
