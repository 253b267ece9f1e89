'use client'

import { useQueryStates } from 'nuqs'
import { useRef, useState } from 'react'
import { useEnvironment, useRead } from '#components/environment/use-environment.ts'
import { WhenRead } from '#components/environment/when-read.tsx'
import { OutcomeCallout } from '#components/operations/outcome-text.tsx'
import { Callout } from '#components/ui/callout.tsx'
import { Link } from '#components/ui/link.tsx'
import { Page } from '#components/ui/page.tsx'
import { useTypedWork } from '#components/ui/typed-work.ts'
import { runAction } from '#lib/actions/run-action.ts'
import type { CsvProblem, LimitPreview, LimitsStart } from '#lib/console/limits/types.ts'
import type { Outcome } from '#lib/operations/types.ts'
import { routes } from '#lib/shared/routes.ts'
import { LimitFileForm } from './limit-file-form.tsx'
import { LimitPreviewPanel } from './limit-preview-panel.tsx'
import { draftSearch, limitLineList } from './limits-params.ts'

/** Many fixed limits at once: a file, what it would do, and the job that does it. */
export function LimitsScreen() {
  const environment = useEnvironment()
  const [params] = useQueryStates(limitLineList.parsers)
  const start = useRead('readLimitDraft', draftSearch(params))
  return (
    <Page
      isDense
      title="Set limits by CSV"
      above={[{ label: 'Card accounts', href: routes.cardAccounts(environment) }]}
      subtitle="One line for each account. You’ll review every line before anything changes."
    >
      <WhenRead query={start} what="This page" blocks={['h-72']}>
        {(data) => <LimitsWork key={data.job?.id ?? ''} start={data} />}
      </WhenRead>
    </Page>
  )
}

/** The preview of the form's text, until the text changes. */
type Read =
  | { kind: 'read'; text: string; preview: LimitPreview; jobId: string }
  | { kind: 'unreadable'; problem: CsvProblem }
  | { kind: 'refused'; outcome: Outcome }
  | { kind: 'lost' }

function LimitsWork({ start }: { start: LimitsStart }) {
  const environment = useEnvironment()
  const [text, setText] = useState(start.text)
  // What is read once more, when an account has changed, is not what the person began with.
  const [firstText] = useState(start.text)
  const [read, setRead] = useState<Read | null>(null)
  const [isReading, setIsReading] = useState(false)
  const [isFolded, setIsFolded] = useState(false)
  const [, setAddress] = useQueryStates(limitLineList.parsers)
  const current = useRef(text)
  useTypedWork(text.trim() !== '' && text !== firstText ? 'this list of limits' : null)

  function change(next: string) {
    current.current = next
    setText(next)
    setRead(null)
  }

  async function preview() {
    if (isReading) return
    setIsReading(true)
    const requested = current.current
    try {
      const result = await runAction('previewLimits', { environment, text: requested })
      if (current.current !== requested) return
      if (result.kind === 'read') {
        void setAddress({ lines: null, pageToken: null, from: null })
        setRead({ ...result, text: requested, jobId: crypto.randomUUID() })
        setIsFolded(true)
      } else if (result.kind === 'unreadable' || result.kind === 'refused') setRead(result)
      else setRead({ kind: 'unreadable', problem: { line: null, problem: Object.values(result.fields).join('; ') } })
    } catch {
      setRead({ kind: 'lost' })
    } finally {
      setIsReading(false)
    }
  }

  return (
    <>
      {start.job && (
        <Callout tone="info" title={start.job.isUndo ? 'Limits as they were.' : 'Rows left to do.'}>
          {start.job.isUndo ? 'Those before ' : 'The rows that '}
          <Link className="underline" href={routes.bulkJob(environment, start.job.id)}>
            {start.job.title}
          </Link>
          {start.job.isUndo
            ? '. Accounts whose limit was changed in Carddesk since, or wasn’t known before, are left out.'
            : ' refused or did not start. Correct the refused ones, then check the lines.'}
        </Callout>
      )}
      <LimitFileForm
        text={text}
        onText={change}
        problem={read?.kind === 'unreadable' ? read.problem : null}
        onError={(problem) => setRead({ kind: 'unreadable', problem })}
        isReading={isReading}
        isRead={read?.kind === 'read'}
        isFolded={isFolded && read?.kind === 'read'}
        onFold={setIsFolded}
        onPreview={() => void preview()}
      />
      {read?.kind === 'refused' && <OutcomeCallout outcome={read.outcome} />}
      {read?.kind === 'lost' && (
        <Callout tone="bad" title="Carddesk didn’t respond." isAlert>
          Nothing was changed, and the text is still here. Try again.
        </Callout>
      )}
      {read?.kind === 'read' && (
        <LimitPreviewPanel
          key={read.jobId}
          text={read.text}
          preview={read.preview}
          jobId={read.jobId}
          onAgain={() => void preview()}
        />
      )}
    </>
  )
}
