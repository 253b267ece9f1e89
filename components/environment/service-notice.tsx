'use client'

import { usePathname } from 'next/navigation'
import type { ReactNode } from 'react'
import { Callout } from '#components/ui/callout.tsx'
import { Link } from '#components/ui/link.tsx'
import { quietLink } from '#components/ui/text-link.tsx'
import { RelativeTime, Time } from '#components/ui/time.tsx'
import type { EndpointName } from '#lib/contract/endpoints.ts'
import type { ServiceHealth, ServiceState } from '#lib/environments/types.ts'
import { routes } from '#lib/shared/routes.ts'
import { LastFailed, ProblemText } from './service-health-panel.tsx'
import { problemSentence } from './service-state.ts'
import { useEnvironment, useRead } from './use-environment.ts'
import { usePermissions } from './use-permissions.ts'

const cardChanges: readonly EndpointName[] = [
  'lockCard',
  'unlockCard',
  'suspendCard',
  'unsuspendCard',
  'activateCard',
  'cancelCard',
  'changeCardPin',
]

/** The endpoints behind each page, by the segment after the environment; the overview has none. */
const endpointsOfPage: Readonly<Record<string, readonly EndpointName[]>> = {
  '': ['listCardAccounts', 'aggregateBalance', 'listPayouts'],
  'card-accounts': [
    'listCardAccounts',
    'aggregateBalance',
    'listCards',
    'listCardAccountTransactions',
    'getClientIdentity',
    'listFees',
    'setFixedLimit',
    'setXmetadata',
    'createCardAccount',
    'listOccupations',
    'listPositions',
    'issueCard',
    'getCardSensitiveInfo',
    ...cardChanges,
  ],
  cards: ['listCards', 'listCardAccountTransactions', ...cardChanges, 'setXmetadata'],
  transactions: ['listCardAccountTransactions'],
  identity: [
    'listCardAccounts',
    'getClientIdentity',
    'resubmitClientIdentity',
    'simulateClientIdentityStatus',
    'listOccupations',
    'listPositions',
  ],
  fees: ['listFees', 'waiveFee', 'listCardAccountTransactions'],
  payouts: [
    'listPayouts',
    'listAccounts',
    'validatePayout',
    'quotePayout',
    'executePayout',
    'listPayoutBanks',
    'getBank',
    'getRates',
  ],
  'funding-accounts': ['listAccounts', 'listAccountTransactions'],
  rates: ['getRates'],
  banks: ['getBank', 'listPayoutBanks'],
  webhooks: ['listWebhooks', 'listWebhookStats', 'createWebhook', 'removeWebhook'],
}

/** Whether the page at this path shows or changes something through the endpoint. */
export function isEndpointOfPage(pathname: string, name: EndpointName): boolean {
  const [, , page = ''] = pathname.split('/')
  return Object.hasOwn(endpointsOfPage, page) && (endpointsOfPage[page]?.includes(name) ?? false)
}

/** On every page while the service doesn't work: since when, what it means and what to do. */
export function ServiceNotice() {
  const { data: health } = useRead('readServiceHealth')
  const pathname = usePathname()
  if (!health?.connected) return null
  const { state, since } = health
  const notice = notices[state]
  if (notice && since !== null) return <StateNotice {...{ health, since }} {...notice} />
  const problems = health.endpoints.filter(({ name }) => isEndpointOfPage(pathname, name))
  if (problems.length === 0) return null
  return (
    <Callout tone="warn" isAlert actions={<ConnectionLink />}>
      {problems.map((problem) => (
        <p key={problem.name}>
          <span className="font-semibold">{problemSentence(problem)}</span> <LastFailed problem={problem} />
        </p>
      ))}
    </Callout>
  )
}

type ConnectedHealth = Extract<ServiceHealth, { connected: true }>
type Notice = { title: string; advice: (health: ConnectedHealth) => string }

const notices: Partial<Record<ServiceState, Notice>> = {
  unreachable: {
    title: 'The card service isn’t responding.',
    advice: () => 'Actions you take now complete once it’s back.',
  },
  rejected: {
    title: 'The card service rejects every request.',
    advice: ({ isSigned }) => `Check the access key${isSigned ? ' and the private key' : ''} in the settings.`,
  },
  unreadable: {
    title: 'The card service’s responses can’t be read.',
    advice: () => 'Check the service URL in the settings.',
  },
}

function StateNotice({ health, since, title, advice }: Notice & { health: ConnectedHealth; since: string }) {
  const { lastProblem } = health
  const seconds: ReactNode = <Time instant={since} format="time-seconds" isZoneShown />
  return (
    <Callout tone="warn" title={title} isAlert actions={<ConnectionLink />}>
      Since {seconds} (<RelativeTime instant={since} />
      ). What is shown may be old. {lastProblem?.diagnosis ?? advice(health)}
      {lastProblem && (
        <>
          {' '}
          <span className="inline-flex flex-wrap items-center gap-x-1 text-xs">
            Last problem: <ProblemText problem={lastProblem} />
          </span>
        </>
      )}
    </Callout>
  )
}

function ConnectionLink() {
  const environment = useEnvironment()
  const { may } = usePermissions()
  if (!may.has('connection.read')) return null
  return (
    <Link href={routes.connection(environment)} className={quietLink}>
      Check the connection
    </Link>
  )
}
