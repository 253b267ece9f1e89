'use client'

import { useSearchParams } from 'next/navigation'
import type { SingleParserBuilder } from 'nuqs'
import { Callout } from '#components/ui/callout.tsx'

type Parsers = Record<string, Pick<SingleParserBuilder<unknown>, 'parse'>>

/** The URL parameters whose values a parser cannot read. */
function ignoredNames(search: URLSearchParams, parsers: Parsers): string[] {
  return Object.entries(parsers)
    .filter(([name, parser]) => search.getAll(name).some((text) => text !== '' && parser.parse(text) === null))
    .map(([name]) => name)
}

/** Names the filters of the URL that are ignored because their values are invalid. */
export function IgnoredFilters({ parsers }: { parsers: Parsers }) {
  const names = ignoredNames(useSearchParams(), parsers)
  if (names.length === 0) return null
  return (
    <Callout tone="warn" title="Part of the address was not understood." isAlert>
      {names.length === 1 ? 'The filter ' : 'The filters '}
      {names.map((name, index) => (
        <span key={name}>
          {index > 0 && ', '}
          <code className="font-mono">{name}</code>
        </span>
      ))}
      {names.length === 1
        ? ' has a value that means nothing here and was'
        : ' have values that mean nothing here and were'}{' '}
      left out.
    </Callout>
  )
}
