'use client'

import { useQuery } from '@tanstack/react-query'
import { Send } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useEnvironment } from '#components/environment/use-environment.ts'
import { readFailure } from '#components/environment/when-read.tsx'
import { TextField } from '#components/form/text-field.tsx'
import { OperationDialog, ReadFailed } from '#components/operations/operation-dialog.tsx'
import { TechnicalDetails } from '#components/operations/technical-details.tsx'
import { type OperationProps, useOperation } from '#components/operations/use-operation.ts'
import { Button } from '#components/ui/button.tsx'
import { Callout } from '#components/ui/callout.tsx'
import { CopyButton, IdText } from '#components/ui/id-text.tsx'
import { LoadingBlocks } from '#components/ui/skeleton.tsx'
import type { Reference } from '#lib/console/references/types.ts'
import { referenceBody, type SetXmetadataBody } from '#lib/contract/xmetadata-rules.ts'
import type { XmetadataTargetType } from '#lib/contract/xmetadata.ts'
import { readQuery } from '#lib/queries/reads.ts'
import { ChangeChoice } from './change-choice.tsx'
import { MetadataList } from './metadata-list.tsx'
import { describe, type ReferenceSummary, summarizeReference, useReferenceDraft } from './reference-draft.ts'
import { XmetadataEditor } from './xmetadata-editor.tsx'

const nouns = { cardaccount: 'card account', card: 'card', payout: 'payout' }
const ownFields = ['xid']

export type ReferenceTarget = { type: XmetadataTargetType; id: string; label: string }

/** Keeps, replaces or removes xid and xmetadata, and shows what will be sent before it is. */
export function EditReferenceDialog({ target, ...dialog }: OperationProps & { target: ReferenceTarget }) {
  const environment = useEnvironment()
  const { data, error, refetch, isFetching, isFetchedAfterMount } = useQuery({
    ...readQuery('readReference', environment, target.type, target.id),
    enabled: dialog.isOpen,
  })
  const read = isFetchedAfterMount ? data : undefined
  const [opened, setOpened] = useState<Reference>()
  if (read && !opened) setOpened(read)
  const { entered, change, switchErrors, setSwitchErrors, enter } = useReferenceDraft(opened)
  const [sentXid, setSentXid] = useState<string | null>(null)
  const [isTried, setIsTried] = useState(false)
  const operation = useOperation({ ...dialog, kind: 'reference.set' })
  const { fields, focusWrong } = useWrongField()
  const isBusy = operation.outcome !== null || operation.isPending || operation.isDone
  const isOutdated = Boolean(opened && read && opened.revision !== read.revision && !isBusy)
  const failure = opened ? null : readFailure(error, `The ${nouns[target.type]}`)
  const summary = opened && change?.value ? summarizeReference(opened, change.value) : null
  const errors = { ...(isTried ? change?.errors : {}), ...switchErrors }
  const xidRefused = entered?.xid === sentXid ? operation.errors.xid : undefined

  function send() {
    setIsTried(true)
    if (!opened || !change?.value) return focusWrong()
    const { xid, xmetadata } = change.value
    const { revision } = opened
    setSentXid(xid.mode === 'replace' ? xid.text : null)
    const entered = { targetType: target.type, targetId: target.id, xid, xmetadata, revision }
    operation.start(entered, (result) => {
      if (result.kind === 'invalid' && result.fields.revision) return refetch()
    })
  }

  return (
    <OperationDialog
      {...dialog}
      operation={{ ...operation, errors: isOutdated ? {} : operation.errors }}
      fields={ownFields}
      problem={(field, wrong) => problemText(field, wrong)}
      confirmationLevel={summary?.isDestructive ? 'moderate' : 'light'}
      size="large"
      title="External ID and metadata"
      consequence={
        <span className="wrap-anywhere">
          Your own references of {target.label}. Nothing else about the {nouns[target.type]} changes.
        </span>
      }
      confirmLabel="Send change"
      confirmIcon={<Send aria-hidden="true" />}
      unavailable={unavailable(entered !== null, isOutdated, change?.isNothing ?? true)}
      onConfirm={send}
    >
      {failure && (
        <ReadFailed title={failure.title} isRetrying={isFetching} onRetry={() => void refetch()}>
          {failure.detail}
        </ReadFailed>
      )}
      {!entered && !failure && <LoadingBlocks what="the current values" blocks={['h-72']} />}
      {isOutdated && read && (
        <Callout
          tone="warn"
          title="It changed since this window was opened."
          isAlert
          actions={<Button onClick={() => setOpened(read)}>Use current values</Button>}
        >
          A colleague may be editing it. Nothing was sent; your entries are still here.
          <ReferenceNow reference={read} />
        </Callout>
      )}
      {entered && opened && (
        <div ref={fields} className="grid min-w-0 gap-4">
          <ChangeChoice
            legend="External ID (xid)"
            mode={entered.xidMode}
            keepHint={opened.xid === null ? 'Not set' : `It stays “${opened.xid}”.`}
            removeHint="Another record can use it then."
            onChange={(xidMode) => enter({ xidMode })}
          >
            <TextField
              label="New external ID"
              isMono
              spellCheck={false}
              value={entered.xid}
              error={errors.xid ?? xidRefused}
              hint={`1 to 256 characters, unique among all your records; ${entered.xid.length} entered.${edgeSpace(entered.xid)}`}
              onChange={(event) => enter({ xid: event.target.value })}
            />
          </ChangeChoice>
          <ChangeChoice
            legend="Metadata (xmetadata)"
            mode={entered.metadataMode}
            keepHint={opened.xmetadata === null ? 'Not set' : `Now: ${describe(opened.xmetadata)}`}
            removeHint="Removes every key"
            onChange={(metadataMode) => enter({ metadataMode })}
          >
            <XmetadataEditor
              draft={entered.metadata}
              errors={errors}
              onChange={(metadata) => enter({ metadata })}
              onRefused={setSwitchErrors}
            />
          </ChangeChoice>
          <ReferencePreview
            body={change?.value ? referenceBody(target, change.value) : null}
            summary={summary}
            missing={change?.isNothing ? 'No change yet.' : 'Fix the fields above first.'}
          />
        </div>
      )}
    </OperationDialog>
  )
}

function unavailable(isRead: boolean, isOutdated: boolean, isNothing: boolean): string | undefined {
  if (!isRead) return 'The current values are loading.'
  if (isOutdated) return 'It changed since you opened this dialog. Review it first.'
  return isNothing ? 'Choose what to replace or remove first.' : undefined
}

function problemText(field: string, wrong: string): string {
  if (field === 'revision') return 'It changed since this window was opened. Nothing was sent.'
  const names: Record<string, string> = { xid: 'The external ID', xmetadata: 'The metadata', change: 'The change' }
  return `${names[field] ?? field} ${wrong}.`
}

function edgeSpace(xid: string): string {
  return xid === xid.trim() ? '' : ' It begins or ends with a space, which counts.'
}

/** Focuses the first wrong field, once its error is shown. */
function useWrongField() {
  const fields = useRef<HTMLDivElement>(null)
  const [tries, setTries] = useState(0)
  useEffect(() => {
    if (tries > 0) fields.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [tries])
  return { fields, focusWrong: () => setTries((before) => before + 1) }
}

/** The current value, as it was read. */
function ReferenceNow({ reference }: { reference: Reference }) {
  return (
    <div className="mt-2 rounded-panel border bg-surface p-3 text-ink">
      <p className="font-medium">There now</p>
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 border-b py-1.5">
        <span className="text-soft">External ID</span>
        <span className="min-w-0 wrap-anywhere">
          {reference.xid ? <IdText id={reference.xid} label="external ID" isWhole /> : 'None'}
        </span>
      </div>
      <div className="pt-1.5">
        <MetadataList xmetadata={reference.xmetadata} />
      </div>
    </div>
  )
}

/** The values to be sent, as text, and folded as JSON. */
function ReferencePreview({
  body,
  summary,
  missing,
}: {
  /** Null where there is nothing to be sent yet; `missing` says why. */
  body: SetXmetadataBody | null
  summary: ReferenceSummary | null
  missing: string
}) {
  return (
    <section aria-label="What will be sent" className="min-w-0">
      <h3 className="font-medium">What will be sent</h3>
      {body === null || summary === null ? (
        <p className="text-faint">{missing}</p>
      ) : (
        <>
          <ul className="mt-0.5 grid gap-0.5">
            {summary.sentences.map((sentence) => (
              <li key={sentence} className="wrap-anywhere text-soft">
                {sentence}
              </li>
            ))}
          </ul>
          <div className="mt-2">
            <TechnicalDetails>
              <div className="flex items-center gap-1 text-xs text-faint">
                <span>
                  Body of <span className="font-mono">POST /xmetadata/set</span>, sent without these line breaks
                </span>
                <CopyButton text={JSON.stringify(body)} label="the exact JSON" />
              </div>
              <pre
                aria-label="The JSON that will be sent"
                className="rounded-panel border bg-sunken p-3 font-mono text-xs wrap-anywhere whitespace-pre-wrap"
              >
                {JSON.stringify(body, null, 2)}
              </pre>
            </TechnicalDetails>
          </div>
        </>
      )}
    </section>
  )
}
