import { CopyButton } from '#components/ui/id-text.tsx'
import type { SetXmetadataBody } from '#lib/contract/xmetadata-rules.ts'
import type { ReferenceSummary } from './reference-summary.ts'

/** What will be sent, as text and as JSON. */
export function ReferencePreview({
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
          <div className="mt-2 flex items-center gap-1 text-xs text-faint">
            <span>
              Body of <span className="font-mono">POST /xmetadata/set</span>, sent without these line breaks
            </span>
            <CopyButton text={JSON.stringify(body)} label="the exact JSON" />
          </div>
          <pre
            aria-label="The JSON that will be sent"
            className="mt-1 rounded-panel border bg-sunken p-3 font-mono text-xs wrap-anywhere whitespace-pre-wrap"
          >
            {JSON.stringify(body, null, 2)}
          </pre>
        </>
      )}
    </section>
  )
}
