import { dayMs } from '#lib/shared/time.ts'
import { disputeAge } from './transaction-labels.ts'

/** How long an open dispute has been open at a time, as far as Carddesk has seen it. */
export function DisputeAge({ since, mayBeOlder, at }: { since: string | null; mayBeOlder: boolean; at: string }) {
  if (since === null) return <Unknown text="Carddesk has no transaction that shows when it opened" />
  const ageMs = Date.parse(at) - Date.parse(since)
  if (!mayBeOlder) return disputeAge(ageMs)
  const why = 'It was open when Carddesk first saw the transaction'
  if (ageMs < dayMs) return <Unknown text={`${why}, less than a day ago`} />
  return <span title={why}>at least {disputeAge(ageMs)}</span>
}

function Unknown({ text }: { text: string }) {
  return (
    <span className="text-faint" title={text}>
      –<span className="sr-only"> {text}</span>
    </span>
  )
}

/** The ages that lists of disputes can be filtered by. */
export const disputeAges = [7, 14, 30, 60, 90].map((days) => ({
  value: String(days),
  label: `${days} days or more`,
}))
