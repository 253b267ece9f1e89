import { StatusBadge } from '#components/ui/badge.tsx'
import { NotProvided } from '#components/ui/not-provided.tsx'
import { identityEntry, identityInSentence } from './account-labels.ts'

export function IdentityBadge({ status, prefix = '' }: { status: string | null; prefix?: string }) {
  const { label, tone } = identityEntry(status)
  if (prefix !== '') return <StatusBadge tone={tone} label={`${prefix} ${identityInSentence(status)}`} />
  return status ? <StatusBadge tone={tone} label={label} /> : <NotProvided />
}
