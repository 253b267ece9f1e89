import { countText, count } from '#components/ui/count.ts'
import { Disclosure } from '#components/ui/disclosure.tsx'
import { Time } from '#components/ui/time.tsx'
import type { WebhookHealth } from '#lib/console/webhooks/types.ts'

const rowsAtMost = 30
const cell = 'border-t px-3 py-1.5 text-left align-top'

/** The chart as a table, with the changes of state. */
export function HistoryTable({ webhook }: { webhook: WebhookHealth }) {
  const points = webhook.queue.filter((point, index, all) => {
    const before = all[index - 1]
    return !before || before.queued !== point.queued || before.status !== point.status
  })
  return (
    <Disclosure title="History as a table">
      <div className="grid gap-x-8 gap-y-4 @4xl:grid-cols-2">
        <div className="min-w-0">
          <table className="w-full text-xs">
            <caption className="pb-1 text-left text-soft">Changes of state</caption>
            <thead>
              <tr className="text-faint">
                <th className={cell}>Noticed</th>
                <th className={cell}>From</th>
                <th className={cell}>To</th>
                <th className={cell}>Queue</th>
              </tr>
            </thead>
            <tbody>
              {webhook.transitions.toReversed().map((transition) => (
                <tr key={`${transition.readAtMs}-${transition.statusAfter}`}>
                  <td className={cell}>
                    <Time instant={transition.readAtMs} format="exact" />
                  </td>
                  <td className={cell}>{transition.statusBefore ?? 'first reading'}</td>
                  <td className={cell}>{transition.statusAfter}</td>
                  <td className={cell}>{countText(transition.queuedMessages)}</td>
                </tr>
              ))}
            </tbody>
          </table>
          <p className="mt-1 text-2xs text-faint">All times are the card service’s.</p>
        </div>
        <div className="min-w-0">
          <table className="w-full text-xs">
            <caption className="pb-1 text-left text-soft">
              Queue over 24 hours, where it changed (the last {rowsAtMost})
            </caption>
            <thead>
              <tr className="text-faint">
                <th className={cell}>At</th>
                <th className={cell}>Queued</th>
                <th className={cell}>State</th>
              </tr>
            </thead>
            <tbody>
              {points
                .toReversed()
                .slice(0, rowsAtMost)
                .map((point) => (
                  <tr key={`${point.fromMs}-${point.status}`}>
                    <td className={cell}>
                      <Time instant={point.fromMs} format="exact" />
                    </td>
                    <td className={cell}>{count.format(point.queued)}</td>
                    <td className={cell}>{point.status}</td>
                  </tr>
                ))}
            </tbody>
          </table>
        </div>
      </div>
    </Disclosure>
  )
}
