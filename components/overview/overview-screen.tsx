'use client'

import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { cardStatusEntry } from '#components/cards/card-status.ts'
import { CoverageText } from '#components/environment/as-of.tsx'
import { ServiceHealthPanel } from '#components/environment/service-health-panel.tsx'
import { useEnvironment, useRead } from '#components/environment/use-environment.ts'
import { WhenRead } from '#components/environment/when-read.tsx'
import { WorkSections } from '#components/my-work/work-sections.tsx'
import { count, formatCount } from '#components/ui/count.ts'
import { Link } from '#components/ui/link.tsx'
import { noValue } from '#components/ui/not-provided.tsx'
import { Page } from '#components/ui/page.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { toneFill, toneText } from '#components/ui/tone.ts'
import { Tooltip } from '#components/ui/tooltip.tsx'
import { cardStatuses } from '#lib/contract/terms.ts'
import { readQuery, type ReadResult } from '#lib/queries/reads.ts'
import { routes } from '#lib/shared/routes.ts'
import { AttentionList } from './attention-list.tsx'
import { LowFunding } from './low-funding.tsx'
import { ProgramTotals } from './program-totals.tsx'
import { TrendsPanel } from './trends-panel.tsx'

/** How often the figures are read: while the console still reads the accounts, and afterwards. */
const [whileReadingMs, refetchMs] = [2_000, 15_000]

export function OverviewScreen() {
  const environment = useEnvironment()
  const overview = useQuery({
    ...readQuery('readOverview', environment),
    refetchInterval: ({ state }) => (state.data?.coverage.isComplete === false ? whileReadingMs : refetchMs),
  })
  const { data } = overview
  const work = useRead('readMyWork')
  return (
    <Page
      title="Home"
      subtitle={
        data && (
          <>
            {data.coverage.isComplete && 'All card accounts, '}
            <CoverageText coverage={data.coverage} />
          </>
        )
      }
    >
      {data && <LowFunding accounts={data.lowFunding} />}
      <WhenRead query={work} what="Your work" blocks={['h-24']}>
        {(waiting) => <WorkSections {...waiting} />}
      </WhenRead>
      <TrendsPanel />
      <WhenRead
        query={overview}
        what="The figures of the program"
        blocks={['h-80', 'h-80', 'h-44 xl:col-span-full']}
        className="xl:grid-cols-[minmax(0,1fr)_minmax(14rem,22rem)]"
      >
        {(read) => (
          <>
            <div className="grid min-w-0 gap-5 xl:grid-cols-[minmax(0,1fr)_minmax(14rem,22rem)]">
              <AttentionList overview={read} work={work.data} />
              <div className="grid min-w-0 gap-5 lg:max-xl:grid-cols-[minmax(0,2fr)_minmax(0,1fr)] xl:grid-rows-[auto_1fr]">
                <CardsByStatus overview={read} />
                <ServiceHealthPanel health={read.health} />
              </div>
            </div>
            <ProgramTotals overview={read} />
          </>
        )}
      </WhenRead>
    </Page>
  )
}

/** All cards by status, each leading to the cards of it; an unknown status comes last. */
export function CardsByStatus({
  overview: { cardsByStatus, cardsExcluded, coverage },
}: {
  overview: Pick<ReadResult<'readOverview'>, 'cardsByStatus' | 'cardsExcluded' | 'coverage'>
}) {
  const environment = useEnvironment()
  const isUnread = coverage.accountsWithCards === 0 && (coverage.accounts > 0 || !coverage.isComplete)
  const known = cardStatuses.map((status) => ({
    status: status as string,
    cards: cardsByStatus.find((row) => row.status === status)?.cards ?? 0,
  }))
  const others = cardsByStatus.filter(({ status }) => !known.some((row) => row.status === status))
  const rows = [...known, ...others]
  const total = rows.reduce((sum, { cards }) => sum + cards, 0)
  return (
    <Panel title="Cards by status" note={isUnread ? 'not read yet' : formatCount(total, 'card')}>
      <ul className="grid gap-x-6 gap-y-3 sm:max-xl:grid-cols-2">
        {rows.map(({ status, cards }) => {
          const { label, tone, icon: Icon, meaning } = cardStatusEntry(status)
          return (
            <li key={status ?? ''}>
              <div className="flex items-center gap-2">
                <Icon aria-hidden="true" className={clsx('size-4 shrink-0', toneText[tone])} />
                <Tooltip text={meaning}>
                  <Link
                    href={routes.cards(environment, { status })}
                    className="min-w-0 truncate font-medium hover:underline hover:decoration-faint hover:underline-offset-2"
                  >
                    {label}
                  </Link>
                </Tooltip>
                <span className="ml-auto font-medium">{isUnread ? noValue : count.format(cards)}</span>
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
      {cardsExcluded > 0 && (
        <p className="mt-3 text-xs text-warn">Excludes {formatCount(cardsExcluded, 'card')} whose status isn’t known</p>
      )}
    </Panel>
  )
}
