'use client'

import { useQueryClient } from '@tanstack/react-query'
import { RefreshCw } from 'lucide-react'
import { useCallback, useEffect, useRef, useState } from 'react'
import { stateText } from '#components/environment/service-state.ts'
import { useEnvironment, useRead } from '#components/environment/use-environment.ts'
import { WhenRead } from '#components/environment/when-read.tsx'
import { consoleUnreachableUnchanged } from '#components/operations/outcome-text.tsx'
import { refetchChanged } from '#components/operations/use-action.ts'
import { StatusBadge } from '#components/ui/badge.tsx'
import { Button } from '#components/ui/button.tsx'
import { Callout } from '#components/ui/callout.tsx'
import { EmptyState } from '#components/ui/empty-state.tsx'
import { type Fact, FactList } from '#components/ui/fact-list.tsx'
import { CopyButton, IdText } from '#components/ui/id-text.tsx'
import { Page } from '#components/ui/page.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { RelativeTime, Time } from '#components/ui/time.tsx'
import { runAction } from '#lib/actions/run-action.ts'
import type { CheckReport, Connection } from '#lib/console/connection/types.ts'
import { clockText, resultTexts } from './connection-text.ts'
import { DeviationTable } from './deviation-list.tsx'
import { DecisionChecks, EndpointChecks } from './endpoint-checks.tsx'

export function ConnectionScreen() {
  const query = useRead('readConnection')
  const { data } = query
  const { isPending, problem, run } = useConnectionCheck(data?.check === null)
  const button = (
    <Button variant="primary" icon={<RefreshCw />} isPending={isPending} onClick={run}>
      Check connection
    </Button>
  )
  return (
    <Page
      title="Connection"
      above={[{ label: 'Settings' }]}
      subtitle="The connected service, compared with the contract. The check only reads."
      actions={button}
    >
      <output className="sr-only">{isPending ? 'Checking the connection' : ''}</output>
      {problem !== null && (
        <Callout tone="bad" title="Couldn’t check the connection." isAlert>
          {problem}
        </Callout>
      )}
      <WhenRead
        query={query}
        what="The connection"
        blocks={['h-64', 'h-40', 'h-96 xl:col-span-full']}
        className="xl:grid-cols-2"
      >
        {(connection) => (
          <>
            <div className="grid min-w-0 gap-5 xl:grid-cols-2">
              <ServicePanel connection={connection} />
              <WebhookPanel connection={connection} />
            </div>
            {connection.check ? (
              <CheckPanels report={connection.check.report} by={connection.check.by} />
            ) : (
              <Panel>
                <EmptyState title={isPending ? 'Checking the connection…' : 'No check yet'}>
                  The verdict on each read endpoint appears here.
                </EmptyState>
              </Panel>
            )}
          </>
        )}
      </WhenRead>
      <DeviationTable />
    </Page>
  )
}

function CheckPanels({ report, by }: { report: CheckReport; by: string }) {
  const { label, tone, meaning } = resultTexts[report.result]
  return (
    <>
      <Panel title="Last check" actions={<StatusBadge tone={tone} label={label} />}>
        <p>
          {meaning}{' '}
          <span className="text-soft">
            <Time instant={report.checkedAt} format="time-seconds" isZoneShown />,{' '}
            <RelativeTime instant={report.checkedAt} />, by {by}
          </span>
        </p>
        {report.diagnosis !== null && <p className="mt-1 text-bad">{report.diagnosis}</p>}
      </Panel>
      <ProposedNames report={report} />
      <EndpointChecks report={report} />
      <DecisionChecks report={report} />
    </>
  )
}

function ServicePanel({ connection }: { connection: Connection }) {
  const environment = useEnvironment()
  const { baseUrl, accessKey, signingKey, isBuiltIn, hasOwnNames, health, check } = connection
  const status = health.connected ? stateText(health) : null
  const rateLimit = check?.report.rateLimit
  const facts: Fact[] = [
    { label: 'Environment', value: environment === 'production' ? 'Production' : 'Sandbox' },
    { label: 'Service', value: isBuiltIn ? 'Built-in service' : 'External service' },
    { label: 'URL', value: <IdText id={baseUrl} label="service URL" isWhole /> },
    { label: 'Access key', value: <IdText id={accessKey} label="access key" isWhole /> },
    {
      label: 'Signing key',
      value: signingKey ? (
        <>
          RSA, {signingKey.bits} bits
          {signingKey.advice !== null && <span className="block text-xs text-soft">{signingKey.advice}</span>}
        </>
      ) : (
        <>
          None: access key alone
          <span className="block text-xs text-soft">HTTP Basic, which only a sandbox accepts.</span>
        </>
      ),
    },
    { label: 'Names', value: hasOwnNames ? 'carddesk.service.json' : 'As in the contract' },
    { label: 'Release', value: check ? <ReleaseValue release={check.report.release} /> : 'Not checked yet' },
    { label: 'Clock', value: check ? clockText(check.report) : 'Not checked yet' },
    {
      label: 'Rate limit',
      value: rateLimit
        ? `${rateLimit.limit} per minute and endpoint`
        : check
          ? 'Not reported by the service'
          : 'Not checked yet',
    },
  ]
  return (
    <Panel title="Service" actions={status && <StatusBadge tone={status.tone} label={status.label} />}>
      <FactList facts={facts} />
    </Panel>
  )
}

/** The release that the service responds like, what it lacks, and what its responses can't show. */
function ReleaseValue({ release: { title, notes } }: Pick<CheckReport, 'release'>) {
  return (
    <>
      {title}
      {notes.map((note) => (
        <span key={note} className="mt-0.5 block text-xs text-soft wrap-anywhere">
          {note}
        </span>
      ))}
    </>
  )
}

const keyTexts = {
  set: 'Set',
  'built-in': 'From the built-in service',
  missing: 'Not set',
}

function WebhookPanel({ connection: { webhooks } }: { connection: Connection }) {
  const { key, keySetting, inboxUrl, lastDelivery } = webhooks
  const facts: Fact[] = [
    {
      label: 'Public key',
      value: (
        <>
          {keyTexts[key]}
          {key === 'missing' && (
            <span className="block text-xs text-soft">
              Set <code className="font-mono">{keySetting}</code>
            </span>
          )}
        </>
      ),
    },
    {
      label: 'Inbox URL to register',
      value: (
        <span className="inline-flex min-w-0 items-center gap-0.5">
          <span className="font-mono text-[0.92em] break-all">{inboxUrl}</span>
          <CopyButton text={inboxUrl} label="inbox URL" />
        </span>
      ),
    },
    {
      label: 'Last delivery',
      value: lastDelivery ? (
        <>
          <Time instant={lastDelivery.receivedAt} isZoneShown />
          <span className="block text-xs text-soft">{lastDelivery.event}</span>
        </>
      ) : (
        'None yet'
      ),
    },
  ]
  return (
    <Panel title="Webhooks">
      <FactList facts={facts} />
    </Panel>
  )
}

const linesStyle = 'rounded-control border bg-canvas p-3 font-mono text-xs whitespace-pre-wrap wrap-anywhere'

/** The lines that make the names of this service known, and what a person has to fill in. */
function ProposedNames({ report }: { report: CheckReport }) {
  const { names: part, namesToFillIn: toFillIn } = report
  if (!part && !toFillIn) return null
  const json = JSON.stringify(part, null, 2)
  return (
    <Panel
      title="Lines for carddesk.service.json"
      note="Add them, restart Carddesk and check again."
      actions={part && <CopyButton text={json} label="lines" />}
    >
      {part && <pre className={linesStyle}>{json}</pre>}
      {toFillIn && (
        <>
          <p className="my-2 text-soft">
            These names can’t be guessed. Look them up in the service’s docs, and add them:
          </p>
          <pre className={linesStyle}>{JSON.stringify(toFillIn, null, 2)}</pre>
        </>
      )}
    </Panel>
  )
}

/** Runs a check of the connection; the first one of an environment runs without a click. */
function useConnectionCheck(isFirst: boolean) {
  const environment = useEnvironment()
  const client = useQueryClient()
  const [isPending, setIsPending] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const hasStarted = useRef(false)
  const run = useCallback(() => {
    hasStarted.current = true
    setIsPending(true)
    setProblem(null)
    runAction('runConnectionCheck', { environment })
      .then((result) => setProblem(result.kind === 'refused' ? result.outcome.happened : null))
      .catch(() => setProblem(consoleUnreachableUnchanged))
      .finally(() => {
        setIsPending(false)
        void refetchChanged(client, environment, 'runConnectionCheck')
      })
  }, [client, environment])
  useEffect(() => {
    if (isFirst && !hasStarted.current) run()
  }, [isFirst, run])
  return { isPending, problem, run }
}
