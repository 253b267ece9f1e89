import { clsx } from 'clsx'
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import type { CodeEntry } from './code-entry.ts'
import { NotProvided } from './not-provided.tsx'
import { type Tone, toneWash } from './tone.ts'

/** A small label in a tone. For a status use StatusBadge, which adds a mark, so that it does not rely on colour. */
export function Badge({ tone = 'neutral', icon, children }: { tone?: Tone; icon?: ReactNode; children: ReactNode }) {
  return (
    <span
      className={clsx(
        'inline-flex h-5 max-w-full align-middle items-center gap-1.5 rounded-full px-2 text-2xs font-medium whitespace-nowrap [&_svg]:size-3 [&_svg]:shrink-0',
        toneWash[tone],
      )}
    >
      {icon}
      <span className="truncate">{children}</span>
    </span>
  )
}

/** A status: a label with an icon, or with a dot where it has none; never only a colour. */
export function StatusBadge({
  tone = 'neutral',
  label,
  icon: Icon,
}: {
  tone?: Tone
  label: string
  icon?: LucideIcon | undefined
}) {
  const mark = Icon ? (
    <Icon aria-hidden="true" />
  ) : (
    <span aria-hidden="true" className="size-1.5 shrink-0 rounded-full bg-current" />
  )
  return (
    <Badge tone={tone} icon={mark}>
      {label}
    </Badge>
  )
}

/** The status of a record beside the title of its page, in words where it is missing. */
export function PageStatus({ code, toEntry }: Parameters<typeof CodeBadge>[0]) {
  return code ? <StatusBadge {...toEntry(code)} /> : <StatusBadge label="Status not provided" />
}

/** The status of a record by its code; `toEntry` is its row in the table of labels. A missing code is not provided. */
export function CodeBadge({ code, toEntry }: { code: string | null; toEntry: (code: string) => CodeEntry }) {
  return code ? <StatusBadge {...toEntry(code)} /> : <NotProvided what="Status" />
}
