import { clsx } from 'clsx'
import Link from 'next/link'
import { cardStatusEntry, lockAndSuspend } from '#components/cards/card-status.ts'
import { count } from '#components/ui/count.ts'
import { Panel } from '#components/ui/panel.tsx'
import { toneFill, toneText } from '#components/ui/tone.ts'
import { Tooltip } from '#components/ui/tooltip.tsx'
import { cardStatuses } from '#lib/contract/card-actions.ts'
import type { ReadResult } from '#lib/queries/reads.ts'
import { type Environment, routes } from '#lib/shared/routes.ts'

/** All cards by status, each figure leading to the accounts that have such cards; an unknown status comes last. */
export function CardsByStatus({
  environment,
  cardsByStatus,
  excluded,
}: {
  environment: Environment
  cardsByStatus: ReadResult<'readOverview'>['cardsByStatus']
  /** Cards whose status the service did not provide. */
  excluded: number
}) {
  const known = cardStatuses.map((status) => ({
    status: status as string,
    cards: cardsByStatus.find((row) => row.status === status)?.cards ?? 0,
  }))
  const others = cardsByStatus.filter(({ status }) => !known.some((row) => row.status === status))
  const rows = [...known, ...others]
  const total = rows.reduce((sum, { cards }) => sum + cards, 0)
  return (
    <Panel
      title="Cards by status"
      note={`${count.format(total)} cards`}
      footer={<span className="text-xs text-faint">{lockAndSuspend}</span>}
    >
      <ul className="grid gap-3">
        {rows.map(({ status, cards }) => {
          const { label, tone, icon: Icon, meaning } = cardStatusEntry(status)
          return (
            <li key={status ?? ''}>
              <div className="flex items-center gap-2">
                <Icon aria-hidden="true" className={clsx('size-4 shrink-0', toneText[tone])} />
                <Tooltip text={meaning}>
                  <Link
                    href={routes.cardAccounts(environment, { cardStatus: status })}
                    prefetch={false}
                    className="min-w-0 truncate font-medium hover:underline hover:decoration-faint hover:underline-offset-2"
                  >
                    {label}
                  </Link>
                </Tooltip>
                <span className="ml-auto font-medium">{count.format(cards)}</span>
              </div>
              <svg aria-hidden="true" width="100%" height="6" className="mt-1.5 block overflow-hidden rounded-full">
                <rect width="100%" height="6" className="fill-line" />
                <rect
                  width={`${((cards / Math.max(1, total)) * 100).toFixed(2)}%`}
                  height="6"
                  rx="3"
                  className={toneFill[tone]}
                />
              </svg>
            </li>
          )
        })}
      </ul>
      {excluded > 0 && (
        <p className="mt-3 text-xs text-warn">
          Excludes {excluded === 1 ? '1 card' : `${count.format(excluded)} cards`} without a status
        </p>
      )}
    </Panel>
  )
}
