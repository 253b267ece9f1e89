import { clsx } from 'clsx'
import {
  ArrowRight,
  CircleCheck,
  CircleHelp,
  CircleX,
  Gauge,
  Hourglass,
  IdCard,
  type LucideIcon,
  Scale,
  ShieldCheck,
  TrendingDown,
  UserRoundX,
} from 'lucide-react'
import { useEnvironment } from '#components/environment/use-environment.ts'
import { amountText } from '#components/ui/amount.tsx'
import { count, formatCount } from '#components/ui/count.ts'
import { Link } from '#components/ui/link.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { TextLink } from '#components/ui/text-link.tsx'
import { Time } from '#components/ui/time.tsx'
import type { ReadResult } from '#lib/queries/reads.ts'
import { type Environment, routes } from '#lib/shared/routes.ts'

type AttentionItem = ReadResult<'readOverview'>['attention'][number]

type AttentionRow = {
  icon: LucideIcon
  tone: 'warn' | 'bad'
  title: { one: string; many: string }
  meaning: string
  href: (environment: Environment) => string
  /** Where an example leads. */
  exampleHref: (environment: Environment, id: string) => string
  /** Their details are sentences that arrive after the page: each has a line of its own, so that nothing moves then. */
  hasLongDetails?: true
}

/** Name, meaning and link of each kind of item. */
const attentionTable: Record<AttentionItem['id'], AttentionRow> = {
  'approval-waiting': {
    icon: ShieldCheck,
    tone: 'warn',
    title: { one: 'request waiting for approval', many: 'requests waiting for approval' },
    meaning: 'Nothing is sent until another person approves it.',
    href: (environment) => routes.approvals(environment, { state: 'waiting' }),
    exampleHref: routes.approval,
  },
  'outcome-unknown': {
    icon: CircleHelp,
    tone: 'bad',
    title: { one: 'action without a known outcome', many: 'actions without a known outcome' },
    meaning: 'Sent, and not confirmed.',
    href: (environment) => routes.unsettled(environment),
    exampleHref: routes.operation,
  },
  'payout-unsettled': {
    icon: CircleHelp,
    tone: 'bad',
    title: { one: 'payout sent, outcome not known', many: 'payouts sent, outcome not known' },
    meaning: 'Don’t pay again before it is known what became of it.',
    href: (environment) => routes.unsettled(environment, { kind: 'payout.submit' }),
    exampleHref: routes.operation,
  },
  'payout-stopped': {
    icon: CircleX,
    tone: 'bad',
    title: { one: 'payout stopped within a day', many: 'payouts stopped within a day' },
    meaning: 'Cancelled or failed: the money is back in its account, and the beneficiary is not paid.',
    href: (environment) => routes.payouts(environment, { status: 'cancelled,failed', sort: '-updated' }),
    exampleHref: routes.payout,
  },
  'payout-in-review': {
    icon: Hourglass,
    tone: 'warn',
    title: { one: 'payout in review for over a day', many: 'payouts in review for over a day' },
    meaning: 'Requested and not sent yet. The review is taking longer than usual.',
    href: (environment) => routes.payouts(environment, { status: 'requested', sort: 'updated' }),
    exampleHref: routes.payout,
  },
  'over-limit': {
    icon: TrendingDown,
    tone: 'bad',
    title: { one: 'account over its limit', many: 'accounts over their limit' },
    meaning: 'Nothing is available: every charge is declined until something is repaid or loaded.',
    href: (environment) => routes.cardAccounts(environment, { limit: 'over' }),
    exampleHref: routes.cardAccount,
  },
  'near-limit': {
    icon: Gauge,
    tone: 'warn',
    title: { one: 'account near its limit', many: 'accounts near their limit' },
    meaning: 'Almost at the credit limit; charges may be declined.',
    href: (environment) => routes.cardAccounts(environment, { limit: 'near' }),
    exampleHref: routes.cardAccount,
  },
  'identity-rejected': {
    icon: UserRoundX,
    tone: 'bad',
    title: { one: 'identity rejected', many: 'identities rejected' },
    meaning: 'The page of each says what to ask for, and where nothing is to be asked for.',
    href: (environment) => routes.identity(environment, { status: 'rejected' }),
    exampleHref: routes.identityCase,
    hasLongDetails: true,
  },
  'identity-pending': {
    icon: IdCard,
    tone: 'warn',
    title: { one: 'identity pending', many: 'identities pending' },
    meaning: 'Under review; nothing has been decided yet.',
    href: (environment) => routes.identity(environment, { status: 'pending' }),
    exampleHref: routes.identityCase,
  },
  disputed: {
    icon: Scale,
    tone: 'warn',
    title: { one: 'account with disputes', many: 'accounts with disputes' },
    meaning: 'Amounts under dispute, requested or pending.',
    href: (environment) => routes.cardAccounts(environment, { disputed: 'yes' }),
    exampleHref: routes.cardAccount,
  },
}

/** Work that needs attention and is not in the person’s own, which stands above, each with a link to it. */
export function AttentionList({
  overview: { attention, isAttentionComplete, identitiesExcluded },
  work,
}: {
  overview: Pick<ReadResult<'readOverview'>, 'attention' | 'isAttentionComplete' | 'identitiesExcluded'>
  work: ReadResult<'readMyWork'> | undefined
}) {
  const found = attention.filter((item) => item.count > 0)
  const waiting = found.filter((item) => !isInWork(item, work))
  return (
    <Panel title="Needs attention" isFlush>
      {waiting.length === 0 ? (
        identitiesExcluded === 0 && (
          <NothingFound isComplete={isAttentionComplete} hasOthers={found.length > waiting.length} />
        )
      ) : (
        <ul className="divide-y">
          {waiting.map((item) => (
            <Item key={item.id} item={item} row={attentionTable[item.id]} />
          ))}
        </ul>
      )}
      {identitiesExcluded > 0 && (
        <p className={clsx('px-4 py-3 text-xs text-warn', waiting.length > 0 && 'border-t')}>
          Identity status not provided for {formatCount(identitiesExcluded, 'account')}: rejected or pending ones aren’t
          known here.
        </p>
      )}
    </Panel>
  )
}

/** Whether the person's own work has everything that the item counts. */
function isInWork({ id, count: found }: AttentionItem, work: ReadResult<'readMyWork'> | undefined): boolean {
  const source = { 'approval-waiting': 'approvals', 'identity-rejected': 'identities' }[id as string]
  return work?.sections.some((section) => section.source === source && section.count === found) ?? false
}

function NothingFound({ isComplete, hasOthers }: { isComplete: boolean; hasOthers: boolean }) {
  const what = hasOthers ? 'Nothing else' : 'Nothing'
  return (
    <p className="flex items-center gap-2 px-4 py-6 text-soft">
      {isComplete && <CircleCheck aria-hidden="true" className="size-4 shrink-0 text-good" />}
      {isComplete ? `${what} needs attention.` : `${what} was found in what was read so far.`}
    </p>
  )
}

/** An amount among the details, such as `1272.2 HKD` or `90 HKD available`, as amounts are written everywhere. */
export function detailText(detail: string): string {
  const [, amount, currency, rest = ''] = /^(-?\d+(?:\.\d+)?) ([A-Z][A-Z\d]+|\d{3})( [a-z]+)?$/.exec(detail) ?? []
  return amount && currency ? `${amountText(amount, currency)}${rest}` : detail
}

const marks: Record<AttentionRow['tone'], string> = { warn: 'bg-warn-wash text-warn', bad: 'bg-bad-wash text-bad' }

function Item({ item, row }: { item: AttentionItem; row: AttentionRow }) {
  const environment = useEnvironment()
  const { icon: Icon, tone, title, meaning } = row
  return (
    <li className="flex gap-3 px-4 py-3">
      <span className={`mt-0.5 flex size-7 shrink-0 items-center justify-center rounded-control ${marks[tone]}`}>
        <Icon aria-hidden="true" className="size-4" />
      </span>
      <div className="min-w-0 flex-1">
        <Link
          href={row.href(environment)}
          className="group/link inline-flex items-center gap-1.5 font-medium hover:underline hover:decoration-faint hover:underline-offset-2"
        >
          {formatCount(item.count, title.one, title.many)}
          <ArrowRight
            aria-hidden="true"
            className="size-3.5 text-faint transition-transform group-hover/link:translate-x-0.5"
          />
        </Link>
        <p className="text-xs text-soft">{meaning}</p>
        {item.ranking && <RankingText ranking={item.ranking} />}
        {item.examples.length > 0 && (
          <ul className={clsx('mt-1 text-xs', row.hasLongDetails ? 'grid' : 'flex flex-wrap gap-x-4')}>
            {item.examples.map(({ id, label, detail }) => (
              <li key={id} className="flex min-h-6 max-w-full min-w-0 flex-wrap items-center gap-x-1">
                <TextLink href={row.exampleHref(environment, id)} className="inline-flex min-h-6 min-w-0 items-center">
                  <span className="truncate">{label}</span>
                </TextLink>
                {detail && <span className="text-faint wrap-anywhere"> {detailText(detail)}</span>}
              </li>
            ))}
            {item.count > item.examples.length && (
              <li className="flex min-h-6 items-center">
                <TextLink href={row.href(environment)} className="inline-flex min-h-6 items-center">
                  and {count.format(item.count - item.examples.length)} more
                </TextLink>
              </li>
            )}
          </ul>
        )}
      </div>
    </li>
  )
}

/** How the examples are ranked; empty where their order needs no rate. */
function RankingText({
  ranking: { currency, ratesAt, unconverted },
}: {
  ranking: NonNullable<AttentionItem['ranking']>
}) {
  return (
    <p className="text-xs text-faint">
      Largest first, valued in {currency}
      {ratesAt && (
        <>
          {' '}
          at the rates of <Time instant={ratesAt} format="time-seconds" isZoneShown />
        </>
      )}
      {unconverted > 0 && <span className="text-warn"> · {count.format(unconverted)} without a rate last</span>}
    </p>
  )
}
