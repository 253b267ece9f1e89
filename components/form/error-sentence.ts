import { withoutCapital } from '#lib/shared/texts.ts'
/** A lower-case beginning: a rule's message, `is required`, without the field that it is about. */
const fragment = /^(?=\p{Ll})/u

/**
 * A field's error as a sentence that names the field: `The e-mail address is required.` What is a sentence already stays. A label is
 * written as in the middle of a sentence, but for names such as PIN.
 */
export function errorSentence(label: string, error: string): string {
  if (!fragment.test(error)) return error
  const noun = /^\p{Lu}[\p{Ll}-]/u.test(label) ? withoutCapital(label) : label
  return `The ${noun} ${error}${/[.!?]$/.test(error) ? '' : '.'}`
}

/** The errors of fields that nothing shows beside them, as sentences. */
export function errorSentences(errors: Readonly<Record<string, string>>): string {
  return Object.entries(errors)
    .map(([field, error]) => errorSentence(field, error))
    .join(' ')
}
