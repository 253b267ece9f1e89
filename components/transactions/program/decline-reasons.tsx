'use client'

import { useRead } from '#components/environment/use-environment.ts'
import type { ListOf } from '#components/environment/use-list.tsx'
import { WhenRead } from '#components/environment/when-read.tsx'
import { count, formatCount } from '#components/ui/count.ts'
import { Meter } from '#components/ui/meter.tsx'
import { Panel } from '#components/ui/panel.tsx'
import type { DeclineReason } from '#lib/console/transactions/types.ts'
import type { ReadSearch } from '#lib/queries/reads.ts'
import { having } from '#lib/shared/provided.ts'
import type { programTransactionList } from './program-transaction-params.ts'

type List = ListOf<typeof programTransactionList> & { filters: ReadSearch<'listProgramTransactions'> }

/** Why charges were declined in the shown range, the most frequent reason first, beside the same hours a week before. */
export function DeclineReasons({ list }: { list: List }) {
  // The reasons stay while one of them is chosen.
  const { responseCode: _responseCode, responseMessage: _responseMessage, ...search } = list.filters
  const query = useRead('listDeclineReasons', search)
  return (
    <WhenRead query={query} what="Why charges were declined" blocks={['h-24']}>
      {(reasons) => reasons.length > 0 && <Reasons list={list} reasons={reasons} />}
    </WhenRead>
  )
}

function Reasons({ list, reasons }: { list: List; reasons: readonly DeclineReason[] }) {
  const most = Math.max(1, ...reasons.map(({ declines }) => declines))
  const hasWeekBefore = having(reasons, 'declinesBefore').length > 0
  return (
    <Panel title="Why charges were declined" isFlush>
      <table className="w-full text-left">
        <thead className="sr-only">
          <tr>
            <th scope="col">Reason</th>
            <th scope="col" className="max-sm:hidden">
              Share of the most frequent reason
            </th>
            <th scope="col">Declines</th>
            <th scope="col" className="max-sm:hidden">
              Cards
            </th>
            {hasWeekBefore && <th scope="col">Beside the same hours a week before</th>}
          </tr>
        </thead>
        <tbody>
          {reasons.map((reason) => {
            const isChosen = isOnly(list.params, reason)
            return (
              <tr key={`${reason.responseCode} ${reason.responseMessage}`} className="border-t first:border-t-0">
                <th scope="row" className="py-1.5 pl-4 font-normal">
                  <button
                    type="button"
                    className="text-left wrap-anywhere underline-offset-2 hover:underline"
                    aria-pressed={isChosen}
                    disabled={reason.responseCode === null && reason.responseMessage === null}
                    onClick={() => list.change(isChosen ? noReason : toFilter(reason))}
                  >
                    {reason.responseMessage ?? 'No reason given'}
                    {reason.responseCode !== null && <span className="text-faint"> {reason.responseCode}</span>}
                  </button>
                </th>
                <td className="w-1/3 px-3 max-sm:hidden">
                  <Meter
                    share={reason.declines / most}
                    label="Share of the most frequent reason"
                    valueText={`${count.format(reason.declines)} of ${count.format(most)}`}
                    tone="bad"
                  />
                </td>
                <td className="px-3 text-right tabular-nums">{count.format(reason.declines)}</td>
                <td className="px-3 text-right text-soft tabular-nums max-sm:hidden">
                  {formatCount(reason.cards, 'card')}
                </td>
                {hasWeekBefore && (
                  <td className="pr-4 pl-3 text-right text-soft tabular-nums">
                    <Trend reason={reason} />
                  </td>
                )}
              </tr>
            )
          })}
        </tbody>
      </table>
    </Panel>
  )
}

/** No reason is chosen. */
export const noReason = { responseCode: null, responseMessage: null }

/** The filters that show the declines of one reason. */
function toFilter({ responseCode, responseMessage }: DeclineReason) {
  return { responseCode: responseCode === null ? null : [responseCode], responseMessage }
}

/** Whether the list shows the declines of this reason alone. */
function isOnly(params: List['params'], reason: DeclineReason): boolean {
  const { responseCode, responseMessage } = toFilter(reason)
  if (responseCode === null && responseMessage === null) return false
  return params.responseMessage === responseMessage && params.responseCode?.join() === responseCode?.join()
}

/** How many more or fewer there were in the same hours a week before. */
function Trend({ reason: { declines, declinesBefore } }: { reason: DeclineReason }) {
  if (declinesBefore === null) return null
  const difference = declines - declinesBefore
  if (difference === 0) return <>as a week before</>
  return (
    <>
      {difference > 0 ? '+' : '−'}
      {count.format(Math.abs(difference))} to a week before
    </>
  )
}
