import { JsonText } from './json-text.tsx'

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
