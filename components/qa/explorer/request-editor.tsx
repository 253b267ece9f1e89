'use client'

import { Send, Wand } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useEnvironment } from '#components/environment/use-environment.ts'
import { Checkbox } from '#components/form/checkbox.tsx'
import { SelectField } from '#components/form/select-field.tsx'
import { TextArea } from '#components/form/text-area.tsx'
import { TextField } from '#components/form/text-field.tsx'
import { MethodLabel } from '#components/requests/exchange-parts.tsx'
import { Button } from '#components/ui/button.tsx'
import { Callout } from '#components/ui/callout.tsx'
import { ChoiceButtons } from '#components/ui/choice-buttons.tsx'
import { formatCount } from '#components/ui/count.ts'
import { Disclosure } from '#components/ui/disclosure.tsx'
import { Panel } from '#components/ui/panel.tsx'
import type { Explorer, ExplorerEndpoint, PlacedIssue } from '#lib/qa/lab/types.ts'
import {
  toBody,
  type Entered,
  toEntered,
  draftFields,
  formFits,
  leftOut,
  type Prefill,
  toQuery,
  sentence,
  switched,
  onlyTexts,
} from './draft.ts'
import { ExchangePanels, SnippetPanel } from './exchange-panels.tsx'
import { RequestFields } from './request-fields.tsx'
import { isSigned } from './snippets.ts'
import { type SendInput, useExplorerCalls } from './use-explorer-calls.ts'

type Signing = SendInput['signing']

const signingLabels: Record<Signing, string> = {
  valid: 'Valid token',
  expired: 'Expired token',
  'other-uri': 'Token for another URL',
  'other-method': 'Token for another method',
  'other-body': 'Token for another body',
  'unknown-key': 'Unknown access key',
  'other-key-pair': 'Another private key',
  none: 'No token',
}

/** Labels for a connection without a private key. */
const unsignedLabels: Partial<Record<Signing, string>> = { valid: 'Access key alone', none: 'No access key' }

/** The form of one endpoint, the response, and the request as code. */
export function RequestEditor({
  explorer,
  endpoint,
  prefill,
}: {
  explorer: Explorer
  endpoint: ExplorerEndpoint
  prefill: Prefill | null
}) {
  const environment = useEnvironment()
  const search = explorer.sandbox === null ? {} : { sandbox: explorer.sandbox }
  const { form } = endpoint
  const [entered, setEntered] = useState(() => toEntered(endpoint, prefill ?? { params: {}, query: {}, body: null }))
  const [idempotencyKey, setIdempotencyKey] = useState('')
  const [signing, setSigning] = useState<Signing>('valid')
  const [isUnchecked, setIsUnchecked] = useState(false)
  const { pending, issues, problem, sent, send, readExample } = useExplorerCalls()
  const [missing, setMissing] = useState(() => leftOut(form.query, prefill?.query ?? {}))
  const labels = isSigned(explorer) ? signingLabels : { ...signingLabels, ...unsignedLabels }
  const change = (changes: Partial<Entered>) => setEntered((before) => ({ ...before, ...changes }))
  const input: SendInput = {
    environment,
    ...search,
    endpoint: endpoint.name,
    params: onlyTexts(entered.params),
    query: toQuery(form.query, entered.query),
    body: toBody(endpoint, entered),
    idempotencyKey,
    signing,
    isUnchecked,
  }

  async function fillExample() {
    const example = await readExample(endpoint.name, search)
    if (!example) return
    setEntered(toEntered(endpoint, example, entered.mode))
    setMissing([])
    if (endpoint.method === 'POST' && idempotencyKey === '') setIdempotencyKey(crypto.randomUUID())
  }

  const issuesByPath = (part: PlacedIssue['part']) =>
    new Map(issues.filter((issue) => issue.part === part).map(({ path, message }) => [path, message]))
  const wasSent = sent !== null && issues === sent.exchange.issues
  return (
    <div className="grid min-w-0 items-start gap-4 2xl:grid-cols-2">
      <Panel
        title={
          <span className="inline-flex flex-wrap items-baseline gap-x-1 font-mono text-sm">
            <MethodLabel method={endpoint.method} />
            <span className="wrap-anywhere">{endpoint.path}</span>
          </span>
        }
        actions={
          <Button icon={<Wand />} isPending={pending === 'example'} onClick={() => void fillExample()}>
            Fill example
          </Button>
        }
        isFlush
      >
        <form
          noValidate
          aria-label="Request"
          className="@container grid gap-4 p-4"
          onSubmit={(event) => {
            event.preventDefault()
            void send(input)
          }}
        >
          <Description endpoint={endpoint} />
          {missing.length > 0 && (
            <Callout tone="warn" title={`Not as it was logged: ${missing.join(', ')}.`}>
              The form can’t send {missing.length === 1 ? 'this parameter' : 'these parameters'} of the query as the
              logged request did.
            </Callout>
          )}
          {(['params', 'query'] as const).map(
            (part) =>
              form[part].length > 0 && (
                <Part key={part} title={part === 'params' ? 'Path' : 'Query'}>
                  <RequestFields
                    fields={form[part]}
                    drafts={entered[part]}
                    issues={issuesByPath(part)}
                    path=""
                    onChange={(drafts) => change({ [part]: drafts })}
                  />
                </Part>
              ),
          )}
          {form.body && (
            <BodyPart endpoint={endpoint} entered={entered} issues={issuesByPath('body')} onEnter={setEntered} />
          )}
          <div className="grid items-start gap-x-4 gap-y-3 border-t pt-4 @lg:grid-cols-2">
            <SelectField
              label="Signing"
              options={explorer.signings.map((value) => ({ value, label: labels[value] }))}
              value={signing}
              onChange={(event) => setSigning(event.target.value as Signing)}
            />
            {endpoint.method === 'POST' && (
              <div className="flex items-start gap-2">
                <TextField
                  label="Idempotency-Key"
                  isOptional
                  isMono
                  spellCheck={false}
                  value={idempotencyKey}
                  onChange={(event) => setIdempotencyKey(event.target.value)}
                  className="flex-1"
                />
                <Button size="large" className="mt-6" onClick={() => setIdempotencyKey(crypto.randomUUID())}>
                  Generate key
                </Button>
              </div>
            )}
          </div>
          {problem !== null && (
            <Callout tone="bad" title={problem.title} isAlert>
              {problem.text}
            </Callout>
          )}
          {issues.length > 0 && !wasSent && (
            <Callout tone="warn" title={`Fix ${formatCount(issues.length, 'field')}.`} isAlert>
              Nothing was sent.
            </Callout>
          )}
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
            <Button type="submit" variant="primary" size="large" icon={<Send />} isPending={pending === 'send'}>
              Send request
            </Button>
            <Checkbox
              label="Send anyway"
              hint="Also requests that break the contract"
              checked={isUnchecked}
              onChange={(event) => setIsUnchecked(event.target.checked)}
            />
          </div>
        </form>
      </Panel>
      <div className="grid min-w-0 gap-4">
        {sent && (
          <ExchangePanels
            key={sent.exchange.headers['x-request-id'] ?? 'none'}
            exchange={sent.exchange}
            requestBody={sent.body}
          />
        )}
        <SnippetPanel explorer={explorer} endpoint={endpoint} input={input} />
      </div>
    </div>
  )
}

/** The body, by a form of its fields or as JSON. */
function BodyPart({
  endpoint,
  entered,
  issues,
  onEnter,
}: {
  endpoint: ExplorerEndpoint
  entered: Entered
  issues: ReadonlyMap<string, string>
  onEnter: (entered: Entered) => void
}) {
  return (
    <Part
      title="Body"
      actions={
        <ChoiceButtons
          label="Body as"
          options={[
            { value: 'form', label: 'Form' },
            { value: 'json', label: 'JSON' },
          ]}
          value={entered.mode}
          onChange={(mode) => onEnter(switched(endpoint, entered, mode))}
        />
      }
    >
      {entered.mode === 'json' ? (
        <TextArea
          label="Body as JSON"
          isLabelHidden
          isMono
          rows={8}
          spellCheck={false}
          value={entered.text}
          hint={formFits(endpoint, entered.text) ? undefined : 'The form can’t show this text.'}
          error={sentence(issues)}
          onChange={(event) => onEnter({ ...entered, text: event.target.value })}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit()
          }}
        />
      ) : (
        <>
          <RequestFields
            fields={endpoint.form.body?.fields ?? []}
            drafts={draftFields(entered.body)}
            issues={issues}
            path=""
            onChange={(body) => onEnter({ ...entered, body })}
          />
          {issues.has('body') && (
            <p role="alert" className="mt-2 text-xs text-bad">
              {issues.get('body')}
            </p>
          )}
        </>
      )}
    </Part>
  )
}

function Description({ endpoint: { summary, rules, isSandboxOnly } }: { endpoint: ExplorerEndpoint }) {
  return (
    <div>
      <p>
        {summary}
        {isSandboxOnly && ' Sandbox only.'}
      </p>
      {rules.length > 0 && (
        <Disclosure title="Rules">
          <ul className="list-disc space-y-1 pl-5 text-soft">
            {rules.map((rule) => (
              <li key={rule}>{rule}</li>
            ))}
          </ul>
        </Disclosure>
      )}
    </div>
  )
}

function Part({ title, actions, children }: { title: string; actions?: ReactNode; children: ReactNode }) {
  return (
    <fieldset className="min-w-0">
      <legend className="sr-only">{title}</legend>
      <div className="mb-2 flex min-h-7 items-center justify-between gap-2">
        <span aria-hidden="true" className="font-medium">
          {title}
        </span>
        {actions}
      </div>
      {children}
    </fieldset>
  )
}
