'use client'

import { Check, CircleCheck } from 'lucide-react'
import { useEnvironment } from '#components/environment/use-environment.ts'
import { useNoteAction } from '#components/notes/note-form.tsx'
import { Due } from '#components/notes/notes-panel.tsx'
import { Button } from '#components/ui/button.tsx'
import { count as counts } from '#components/ui/count.ts'
import { Link } from '#components/ui/link.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { TextLink } from '#components/ui/text-link.tsx'
import { Time } from '#components/ui/time.tsx'
import type { ReadResult } from '#lib/queries/reads.ts'
import { workTable } from './work-table.tsx'

type WorkSection = ReadResult<'readMyWork'>['sections'][number]

/** Work of the signed-in person, each item with its link; a sentence where nothing waits. */
export function WorkSections({ sections }: ReadResult<'readMyWork'>) {
  if (sections.every(({ count }) => count === 0)) {
    return (
      <Panel>
        <p className="flex items-center gap-2 py-2 text-soft">
          <CircleCheck aria-hidden="true" className="size-4 shrink-0 text-good" />
          Nothing waits for you personally.
        </p>
      </Panel>
    )
  }
  return (
    <div className="grid min-w-0 gap-5 *:last:odd:col-span-full xl:grid-cols-2">
      {sections
        .filter((section) => section.count > 0)
        .map((section) => (
          <Section key={section.source} section={section} />
        ))}
    </div>
  )
}

function Section({ section: { source, count, items } }: { section: WorkSection }) {
  const environment = useEnvironment()
  const { icon: Icon, title, meaning, all } = workTable[source]
  return (
    <Panel
      title={
        <span className="flex items-center gap-2">
          <Icon aria-hidden="true" className="size-4 text-soft" />
          {title}
          <span className="text-soft tabular-nums">{counts.format(count)}</span>
        </span>
      }
      note={<span className="text-xs">{meaning}</span>}
      isFlush
    >
      <ul className="divide-y">
        {items.map((item) => (
          <Item key={item.id} source={source} item={item} />
        ))}
      </ul>
      {count > items.length && (
        <p className="border-t px-4 py-2.5 text-soft">
          {all ? (
            <Link href={all(environment)} className="underline decoration-line underline-offset-2">
              See all {counts.format(count)}
            </Link>
          ) : (
            `and ${counts.format(count - items.length)} more`
          )}
        </p>
      )}
    </Panel>
  )
}

function Item({ source, item }: { source: WorkSection['source']; item: WorkSection['items'][number] }) {
  const environment = useEnvironment()
  const row = workTable[source]
  const href = row.href(environment, item)
  const { isPending, problem, run } = useNoteAction()
  return (
    <li className="flex flex-wrap items-start gap-x-3 gap-y-1.5 px-4 py-2.5">
      <div className="min-w-0 flex-1 basis-56">
        <TextLink href={href} className="inline-flex min-h-6 items-center font-medium wrap-anywhere">
          {row.label(item)}
        </TextLink>
        {row.text(item) && <p className="line-clamp-3 whitespace-pre-wrap wrap-anywhere">{row.text(item)}</p>}
        {(item.by || item.at) && (
          <p className="text-xs text-soft">
            {item.by} {item.at && <Time instant={item.at} />}
            {item.dueAt && (
              <>
                {' · '}
                <Due at={item.dueAt} />
              </>
            )}
          </p>
        )}
        {problem && (
          <p role="alert" className="text-xs text-bad">
            {problem}
          </p>
        )}
      </div>
      {item.canBeTaken && (
        <Button size="small" isPending={isPending} onClick={() => void run('takeHandover', { noteId: item.id })}>
          Take<span className="sr-only">: {row.label(item)}</span>
        </Button>
      )}
      {source === 'handovers' && (
        <Button
          size="small"
          icon={<Check />}
          isPending={isPending}
          onClick={() => void run('finishHandover', { noteId: item.id })}
        >
          Mark done<span className="sr-only">: {row.label(item)}</span>
        </Button>
      )}
    </li>
  )
}
