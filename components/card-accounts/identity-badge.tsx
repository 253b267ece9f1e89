import { StatusBadge } from '#components/ui/status-badge.tsx'
import { identityEntry } from './account-words.ts'

export function IdentityBadge({ status, prefix = '' }: { status: string; prefix?: string }) {
  const { word, tone } = identityEntry(status)
  return <StatusBadge tone={tone} word={prefix === '' ? word : `${prefix} ${word.toLowerCase()}`} />
}
