import type { ReactNode } from 'react'
import type { RequestAhead } from '#components/approvals/approval-ahead.tsx'
import { cardActionUi } from '#components/cards/card-action-table.ts'
import { statusInSentence } from '#components/cards/card-status.ts'
import { WaiverEffects, waiverEffectsHeight } from '#components/fees/waiver-effects.tsx'
import { SetLimitEffects, SetLimitFields } from '#components/limits/limit-job-parts.tsx'
import { TagEffects, TagFields } from '#components/references/tag-job-parts.tsx'
import { formatCount } from '#components/ui/count.ts'
import type { JobPreview, JobSettings } from '#lib/console/bulk/types.ts'
import { shortLabel } from '#lib/contract/card-actions.ts'
import { isLimit, plainLimit } from '#lib/contract/limit-text.ts'
import type { BulkCardAction, BulkKind } from '#lib/operations/bulk/types.ts'
import { withoutCapital } from '#lib/shared/texts.ts'
import type { JobFieldsProps } from './job-fields.ts'

type JobKindUi = {
  /** "Lock", with the number of records behind it: "Lock 3 cards". */
  verb: string
  noun: (settings: JobSettings) => string
  /** Effect on each record, and whether it can be undone. */
  consequence: string
  keepLabel: string
  /** Why records are left out, as the end of "3 cards …". */
  leftOut: (because: string | null, rows: number) => string
  /** Settings beyond the choice; the preview is made once they are complete. */
  fields?: { Fields: (props: JobFieldsProps) => ReactNode; isComplete: (settings: JobSettings) => boolean }
  Effects: (props: { preview: JobPreview; height: string }) => ReactNode
  /** The requests of its rows that rules of their own topic may hold back. */
  rowsAhead?: (preview: JobPreview) => readonly RequestAhead[]
  /** The height of the effects of so many rows at most, as a class: nothing moves when they arrive. */
  effectsHeight: (rows: number) => string
}

function cardJob(action: BulkCardAction): JobKindUi {
  const { consequence } = cardActionUi[action]
  const [first = ''] = consequence.split('. ')
  // A job does one card after the other, and may wait for an approval.
  const effect = withoutCapital(first).replace(/\.$/, '').replace(' immediately', '')
  return {
    verb: shortLabel(action),
    noun: () => 'card',
    consequence: `For each card: ${effect}. You can pause or cancel the job; cards already done stay so.`,
    keepLabel: 'Change nothing',
    leftOut: (because, rows) =>
      keptStopped(because, rows, shortLabel(action)) ?? `${rows === 1 ? 'is' : 'are'} ${statusInSentence(because)}`,
    Effects: ({ preview: { ids, effect } }) => (
      <p>
        {formatCount(ids.length, 'card')} of {formatCount(effect.accounts ?? 0, 'account')}.
      </p>
    ),
    effectsHeight: () => 'h-5',
  }
}

/** Of cards that stay stopped, whatever their status: `lib/console/cards/kept-stopped.ts`. */
function keptStopped(because: string | null, rows: number, verb: string): string | null {
  const texts: Record<string, [one: string, many: string]> = {
    'reported-lost': ['was reported lost or stolen', 'were reported lost or stolen'],
    'has-replacement': ['is replaced', 'are replaced'],
    'awaits-cancellation': ['waits for its cancellation', 'wait for their cancellation'],
  }
  const [one, many] = texts[because ?? ''] ?? []
  if (one === undefined) return null
  return `${rows === 1 ? one : many} (${withoutCapital(verb)} ${rows === 1 ? 'it on its own page' : 'each on its own page'})`
}

/** Screen side of each kind of bulk job; `lib/console/bulk/job-kinds.ts` is the server's. */
export const jobKindTable: Record<BulkKind, JobKindUi> = {
  'card.lock': cardJob('lock'),
  'card.unlock': cardJob('unlock'),
  'card.suspend': cardJob('suspend'),
  'card.unsuspend': cardJob('unsuspend'),
  'fee.waive': {
    verb: 'Waive',
    noun: () => 'fee',
    consequence:
      'Each fee is voided and credited to its account. This can’t be undone. You can pause or cancel the job; fees already waived stay waived.',
    keepLabel: 'Keep fees',
    leftOut: (because, rows) => {
      const verb = rows === 1 ? 'is' : 'are'
      if (because === 'void') return `${verb} void already: waived or cancelled before, and not counted in any balance`
      return because === 'held'
        ? `${verb} in another job that is to waive ${rows === 1 ? 'it' : 'them'}`
        : 'came without an ID'
    },
    Effects: WaiverEffects,
    effectsHeight: waiverEffectsHeight,
  },
  'account.set-limit': {
    verb: 'Set limit of',
    noun: () => 'account',
    consequence:
      'The most that can be owed on each account. Earlier charges stay. You can pause or cancel the job; limits already set stay.',
    keepLabel: 'Keep limits',
    leftOut: (because) => `left as they are: ${because ?? ''}`.replace(/\.$/, ''),
    fields: {
      Fields: SetLimitFields,
      isComplete: ({ limit = '', currency = '' }) => currency !== '' && isLimit(limit, currency),
    },
    Effects: SetLimitEffects,
    rowsAhead: ({ effect, settings: { limit = '', currency = '' } }) =>
      effect.limits?.raised ? [{ topic: 'limit-raises', amount: plainLimit(limit), currency }] : [],
    effectsHeight: () => 'h-5',
  },
  'reference.set': {
    verb: 'Tag',
    noun: ({ targetType }) => (targetType === 'card' ? 'card' : 'account'),
    consequence:
      'Sets one key of the metadata. Other keys stay: where they change meanwhile, the row is refused. You can pause or cancel the job.',
    keepLabel: 'Change nothing',
    leftOut: (because, rows) =>
      because === 'same'
        ? `${rows === 1 ? 'has' : 'have'} this value already`
        : `${rows === 1 ? 'has' : 'have'} metadata without keys, which would be lost`,
    fields: {
      Fields: TagFields,
      isComplete: ({ key = '', value = '' }) => key.trim() !== '' && value.trim() !== '',
    },
    Effects: TagEffects,
    effectsHeight: () => 'h-0',
  },
}
