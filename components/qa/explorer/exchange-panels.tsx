'use client'

import { useState } from 'react'
import { JsonText, StatusCode } from '#components/requests/exchange-parts.tsx'
import { Badge } from '#components/ui/badge.tsx'
import { Callout } from '#components/ui/callout.tsx'
import { ChoiceButtons } from '#components/ui/choice-buttons.tsx'
import { formatCount } from '#components/ui/count.ts'
import { Disclosure } from '#components/ui/disclosure.tsx'
import { Panel } from '#components/ui/panel.tsx'
import type { ActionInput } from '#lib/actions/run-action.ts'
import type { Exchange, Explorer, ExplorerEndpoint } from '#lib/qa/lab/types.ts'
import {
  isSigned,
  type SnippetLanguage,
  snippetLanguages,
  makeSnippet,
  snippetRequest,
  unsignedSnippet,
} from './snippets.ts'

const failureTexts: Readonly<Record<string, string>> = {
  CONNECTION_FAILED: 'Couldn’t connect to the service. Nothing was sent.',
  CONNECTION_LOST: 'The connection was lost before the response. We don’t know what the service did.',
  TIMED_OUT: 'No response in time. We don’t know what the service did.',
  RESPONSE_TOO_LARGE: 'The response is too large to show.',
}

/** The response, and the signed request. */
export function ExchangePanels({ exchange, requestBody }: { exchange: Exchange; requestBody: string | null }) {
  const { status, durationMs, body, failure, deviations, headers, isTruncated } = exchange
  return (
    <>
      <Panel
        title="Response"
        note={
          <output className="inline-flex flex-wrap items-center gap-2">
            <StatusCode status={status} />
            <span className="text-xs">{durationMs} ms</span>
          </output>
        }
        actions={status !== null && deviations.length === 0 && <Badge tone="neutral">Matches the contract</Badge>}
      >
        <div className="grid gap-3">
          {status === null && (
            <Callout tone="bad">{failureTexts[failure ?? ''] ?? 'The response could not be read.'}</Callout>
          )}
          {deviations.length > 0 && <Deviations deviations={deviations} />}
          {body ? (
            <JsonText label="response body" text={body} />
          ) : (
            status !== null && <p className="text-soft">No body</p>
          )}
          {isTruncated && <p className="text-xs text-faint">Only the beginning is shown.</p>}
          {exchange.endpoint === 'getCardSensitiveInfo' && status === 200 && (
            <p className="text-xs text-faint">The link is hidden here. Reveal a card number on the card’s page.</p>
          )}
          {Object.keys(headers).length > 0 && <Headers title="Response headers" headers={headers} />}
        </div>
      </Panel>
      <Panel title="Signed request">
        <div className="grid gap-3">
          <p className="font-mono text-xs wrap-anywhere">
            {exchange.method} {exchange.url}
          </p>
          <Headers title="Request headers" headers={exchange.requestHeaders} />
          {exchange.token && (
            <Disclosure title="Token header and claims">
              <JsonText label="token" text={JSON.stringify(exchange.token, null, 2)} />
            </Disclosure>
          )}
          {requestBody !== null && <JsonText label="request body" text={requestBody} />}
        </div>
      </Panel>
    </>
  )
}

function Deviations({ deviations }: { deviations: Exchange['deviations'] }) {
  return (
    <Callout tone="warn" title={`${formatCount(deviations.length, 'difference')} from the contract`}>
      <ul className="mt-1 max-h-48 space-y-1 overflow-y-auto text-xs">
        {deviations.map(({ path, expected, found }) => (
          <li key={`${path} ${expected} ${found}`}>
            <code className="font-mono wrap-anywhere">{path || 'body'}</code>: expected {expected}, found {found}
          </li>
        ))}
      </ul>
    </Callout>
  )
}

function Headers({ title, headers }: { title: string; headers: Readonly<Record<string, string>> }) {
  return (
    <Disclosure title={title}>
      <dl className="divide-y rounded-control border font-mono text-xs">
        {Object.entries(headers).map(([name, value]) => (
          <div key={name} className="flex flex-wrap gap-x-3 px-3 py-1">
            <dt className="text-soft">{name}</dt>
            <dd className="min-w-0 wrap-anywhere">{value}</dd>
          </div>
        ))}
      </dl>
    </Disclosure>
  )
}

/** The request as a program that signs and sends it, or as curl with the access key alone. */
export function SnippetPanel({
  explorer,
  endpoint,
  input,
}: {
  explorer: Explorer
  endpoint: ExplorerEndpoint
  input: ActionInput<'sendExplorerRequest'>
}) {
  const [language, setLanguage] = useState<SnippetLanguage>('curl')
  const request = snippetRequest(explorer.baseUrl, endpoint, input)
  if (!isSigned(explorer)) {
    return (
      <Panel title="Code">
        <JsonText label="snippet" text={unsignedSnippet(request)} />
      </Panel>
    )
  }
  return (
    <Panel
      title="Code"
      actions={
        <ChoiceButtons
          label="Language"
          options={snippetLanguages.map(({ id, label }) => ({ value: id, label }))}
          value={language}
          onChange={setLanguage}
        />
      }
    >
      <JsonText label="snippet" text={makeSnippet(language, request)} />
      <p className="mt-2 text-xs text-faint">
        Set ACCESS_KEY and PRIVATE_KEY first; the docs say where the built-in service has them.
      </p>
    </Panel>
  )
}
