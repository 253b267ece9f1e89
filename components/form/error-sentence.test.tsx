import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { errorSentence } from './error-sentence.ts'
import { TextField } from './text-field.tsx'

test.each([
  ['E-mail address', 'is required', 'The e-mail address is required.'],
  ['PIN', 'must have 4 to 6 digits', 'The PIN must have 4 to 6 digits.'],
  ['destination.email', 'is required.', 'The destination.email is required.'],
  ['Amount', 'Enter an amount such as 12.50.', 'Enter an amount such as 12.50.'],
  ['Name', '30 characters at most.', '30 characters at most.'],
])('the error of %j, %j, is %j', (label, error, sentence) => expect(errorSentence(label, error)).toBe(sentence))

test('a field shows a rule’s message as a sentence that names the field', () => {
  const markup = renderToStaticMarkup(<TextField label="Card account" error="is required" />)
  expect(markup).toContain('>The card account is required.<')
})

test.each([undefined, null, false, ''])('a field whose error is %j is not shown as wrong', (error) => {
  const markup = renderToStaticMarkup(<TextField label="Card account" error={error} />)
  expect(markup).not.toContain('aria-invalid=')
  expect(markup).not.toContain('role="alert"')
})
