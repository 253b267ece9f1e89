import { Hourglass } from 'lucide-react'
import { StatusBadge } from '#components/ui/badge.tsx'

/** Beside the status of a card whose cancellation waits for an approval. */
export function CancellationWaiting() {
  return <StatusBadge label="Cancellation waiting" tone="warn" icon={Hourglass} />
}
