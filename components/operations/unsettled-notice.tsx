'use client'

import { useEnvironment, useRead } from '#components/environment/use-environment.ts'
import { Callout } from '#components/ui/callout.tsx'
import { count, formatCount } from '#components/ui/count.ts'
import { TextLink } from '#components/ui/text-link.tsx'
import { Time } from '#components/ui/time.tsx'
import { findOperationDefinition } from '#lib/api/actions.ts'
import type { ReadSearch } from '#lib/queries/reads.ts'
import { routes } from '#lib/shared/routes.ts'

/** Unsettled operations of a record, or of one kind, a row each. Nothing where there is none. */
export function UnsettledNotice({ of }: { of: ReadSearch<'listUnsettled'> }) {
  const environment = useEnvironment()
  const { data } = useRead('listUnsettled', of)
  if (!data || data.count === 0) return null
  const isPayouts = of.kind === 'payout.submit'
  const noun = isPayouts ? 'payout' : 'action'
  const { pageSize: _pageSize, ...filters } = of
  return (
    <Callout tone="warn" title={`${formatCount(data.count, noun)} sent, outcome not known.`}>
      {isPayouts && 'Don’t pay again before it is known what became of it.'}
      <ul className="mt-1 divide-y divide-warn/20">
        {data.operations.map(({ id, kind, target, by, createdAt }) => (
          <li key={id} className="flex flex-wrap items-baseline gap-x-3 py-1">
            <TextLink href={routes.operation(environment, id)} className="inline-flex min-h-6 items-center font-medium">
              {isPayouts ? (target.label ?? 'Payout') : (findOperationDefinition(kind)?.label ?? kind)}
            </TextLink>
            <span className="text-xs text-soft">
              {by.name}, <Time instant={createdAt} />
            </span>
          </li>
        ))}
        {data.count > data.operations.length && (
          <li className="py-1">
            <TextLink href={routes.unsettled(environment, filters)} className="inline-flex min-h-6 items-center">
              See all {count.format(data.count)}
            </TextLink>
          </li>
        )}
      </ul>
    </Callout>
  )
}
