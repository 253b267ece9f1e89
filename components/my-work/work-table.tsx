import {
  CircleHelp,
  Gavel,
  IdCard,
  ListChecks,
  ListX,
  type LucideIcon,
  Scale,
  ShieldCheck,
  StickyNote,
} from 'lucide-react'
import { approvalStateTable, decisionText } from '#components/approvals/approval-labels.ts'
import { targetName } from '#components/audit/audit-object.tsx'
import { formatHeadline, jobLabel } from '#components/bulk/bulk-labels.ts'
import { findOperationDefinition } from '#lib/api/actions.ts'
import type { ReadResult } from '#lib/queries/reads.ts'
import { type Environment, routes } from '#lib/shared/routes.ts'
import { withCapital } from '#lib/shared/texts.ts'
import { recordHref } from '../operations/record-href.ts'

type WorkSection = ReadResult<'readMyWork'>['sections'][number]
type WorkItem = WorkSection['items'][number]

export type WorkRow = {
  icon: LucideIcon
  title: string
  /** The next step, as a sentence. */
  meaning: string
  /** The link of an item; null where no page is its own. */
  href: (environment: Environment, item: WorkItem) => string | null
  /** Text of the link. */
  label: (item: WorkItem) => string
  text: (item: WorkItem) => string | null | undefined
  /** Where the rest is, when there is more than the section shows. */
  all?: (environment: Environment) => string
}

/** How each source of waiting work is shown, in the order of the page. */
export const workTable: Record<WorkSection['source'], WorkRow> = {
  operations: {
    icon: CircleHelp,
    title: 'Outcome not known',
    meaning: 'Sent, and not confirmed.',
    href: (environment, { id }) => routes.operation(environment, id),
    label: targetLabel,
    text: ({ text }) =>
      text === 'payout.submit'
        ? 'Payout. Don’t pay again before its outcome is known.'
        : (text && findOperationDefinition(text)?.label) || text,
    all: (environment) => routes.unsettled(environment, { by: 'me' }),
  },
  approvals: {
    icon: ShieldCheck,
    title: 'Waiting for approval',
    meaning: 'Requests of colleagues that a second person decides.',
    href: (environment, { id }) => routes.approval(environment, id),
    label: targetLabel,
    text: ({ text }) => text,
    all: (environment) => routes.approvals(environment),
  },
  handovers: {
    icon: StickyNote,
    title: 'Handed over to you',
    meaning: 'Notes that a colleague left for you or your role.',
    href: (environment, { target }) => recordHref(environment, target),
    label: targetLabel,
    text: ({ text }) => text,
  },
  'bulk-jobs': {
    icon: ListChecks,
    title: 'Your bulk jobs',
    meaning: 'Jobs you started that are not finished.',
    href: (environment, { id }) => routes.bulkJob(environment, id),
    label: targetLabel,
    text: ({ job }) => job && `${jobLabel(job).label}: ${formatHeadline(job)}`,
    all: (environment) => routes.bulkJobs(environment),
  },
  'jobs-in-part': {
    icon: ListX,
    title: 'Jobs that ended in part',
    meaning:
      'Some rows were refused or have no known outcome. Here until a later job does them, for three days at most.',
    href: (environment, { id }) => routes.bulkJob(environment, id),
    label: targetLabel,
    text: ({ job }) => job && formatHeadline(job),
    all: (environment) => routes.bulkJobs(environment),
  },
  decisions: {
    icon: Gavel,
    title: 'Your requests, decided',
    meaning: 'In the last 24 hours.',
    // Support starts jobs, and reads no approvals.
    href: (environment, { id, target }) =>
      target.type === 'bulk-job' ? routes.bulkJob(environment, id) : routes.approval(environment, id),
    label: targetLabel,
    text: ({ text, outcome, reason }) =>
      text && Object.hasOwn(approvalStateTable, text)
        ? `${decisionText(text as 'approved', outcome)}${reason ? `: “${reason}”` : ''}`
        : text,
  },
  policies: {
    icon: Scale,
    title: 'Policy to confirm',
    meaning: 'Proposed by another admin. It applies once you confirm it.',
    href: (environment) => routes.policy(environment),
    label: targetLabel,
    text: ({ text }) => text,
  },
  identities: {
    icon: IdCard,
    title: 'Rejected identities',
    meaning: 'The page of each says what to resubmit, and what not to.',
    href: (environment, { id }) => routes.identityCase(environment, id),
    label: targetLabel,
    text: ({ text }) => text,
    all: (environment) => routes.identity(environment, { status: 'rejected' }),
  },
}

/** Begins the line, unlike in the audit log: "Card ending 4242". */
function targetLabel({ target }: WorkItem): string {
  const text = targetName(target)
  return target.label === null || target.type === 'card' ? withCapital(text) : text
}
