import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { dialogTitle } from './confirm-dialog.tsx'

test('the title is the question, and then states the result alone', () => {
  const question = 'Lock card ending 4821?'
  expect(dialogTitle(question, null)).toBe(question)
  const title = (tone: 'good' | 'warn') => renderToString(dialogTitle(question, { tone, title: 'Not confirmed yet' }))
  expect(title('warn')).toBe('<span role="alert">Not confirmed yet</span>')
  expect(title('good')).toBe('<span role="status">Not confirmed yet</span>')
})
