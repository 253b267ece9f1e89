import { clsx } from 'clsx'
import { CopyButton } from '#components/ui/id-text.tsx'
import { indentedJson, parseJson } from '#lib/shared/json.ts'

/** JSON for reading, or text that is none, such as a program, whose lines stay whole; copying takes the exact text. */
export function JsonText({ label, text }: { label: string; text: string }) {
  const isJson = parseJson(text) !== undefined
  return (
    <div className="relative min-w-0">
      <div className="absolute top-1.5 right-1.5">
        <CopyButton text={text} label={label} />
      </div>
      <section
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, so the keyboard has to reach it
        tabIndex={0}
        aria-label={label}
        className="max-h-96 overflow-auto rounded-control border bg-sunken p-3 pr-9"
      >
        <pre className={clsx('font-mono text-xs', isJson && 'wrap-anywhere whitespace-pre-wrap')}>
          {indentedJson(text)}
        </pre>
      </section>
    </div>
  )
}

const noteTexts: Readonly<Record<string, string>> = {
  secret: 'Not stored: it may hold a secret.',
  'too large': 'Not stored: larger than 32 KiB.',
  'not JSON': 'Not stored: not JSON.',
}

/** A body as a request log has it, or why it is not stored. */
export function LoggedBody({ title, text, note }: { title: string; text: string | null; note: string | null }) {
  if (text === null && note === null) return null
  return (
    <div className="min-w-0">
      <h3 className="mb-1 font-medium">{title}</h3>
      {text === null ? (
        <p className="text-soft">{noteTexts[note ?? ''] ?? 'Not stored.'}</p>
      ) : (
        <JsonText label={title.toLowerCase()} text={text} />
      )}
    </div>
  )
}
