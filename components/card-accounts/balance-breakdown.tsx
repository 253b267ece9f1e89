'use client'

import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { AsOf } from '#components/environment/as-of.tsx'
import { WhenRead } from '#components/environment/when-read.tsx'
import { Button } from '#components/ui/button.tsx'
import { readQuery } from '#lib/queries/reads.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { BalanceNamedEntries } from './balance-named-entries.tsx'
import { BalanceNotes } from './balance-notes.tsx'
import { balanceSentence } from './balance-sentence.ts'
import { BalanceWaterfall } from './balance-waterfall.tsx'

/** Why an account's figures are what they are: a sentence, then every part with its entries. */
export function BalanceBreakdown({
  environment,
  cardAccountId,
  skeleton,
}: {
  environment: Environment
  cardAccountId: string
  skeleton: ReactNode
}) {
  const explanation = useQuery(readQuery('explainBalance', environment, cardAccountId))
  return (
    <WhenRead query={explanation} what="The explanation of the balance" skeleton={skeleton}>
      {(data) => (
        <section aria-label="Explanation of the balance" className="grid gap-3">
          <p className="max-w-3xl text-md text-pretty">{balanceSentence(data)}</p>
          <BalanceNotes explained={data} />
          <div className="grid min-w-0 items-start gap-x-8 gap-y-4 @4xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
            <BalanceWaterfall explained={data} />
            <div className="grid min-w-0 gap-4">
              <BalanceNamedEntries
                environment={environment}
                title="Pending"
                none="Nothing is pending."
                meaning="In the balance already; each may still change until it is posted."
                entries={data.pendingEntries}
                cardAccountId={cardAccountId}
              />
              <BalanceNamedEntries
                environment={environment}
                title="Disputed"
                none="Nothing is disputed."
                meaning="Requested or pending"
                entries={data.disputedEntries}
                cardAccountId={cardAccountId}
              />
            </div>
          </div>
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-faint">
            <span>
              Read from {data.entries} {data.entries === 1 ? 'entry' : 'entries'}, <AsOf freshness={data.freshness} />
            </span>
            <Button
              size="small"
              variant="quiet"
              isPending={explanation.isFetching}
              onClick={() => void explanation.refetch()}
            >
              Read again
            </Button>
          </div>
        </section>
      )}
    </WhenRead>
  )
}
