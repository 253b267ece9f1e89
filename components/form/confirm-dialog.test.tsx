import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { titleOf } from './confirm-dialog.tsx'

test('the title is the question, and then states the result alone', () => {
  const question = 'Lock card ending 4821?'
  expect(titleOf(question, null)).toBe(question)
  const title = (tone: 'good' | 'warn') => renderToString(titleOf(question, { tone, title: 'Not confirmed yet' }))
  expect(title('warn')).toBe('<span role="alert">Not confirmed yet</span>')
  expect(title('good')).toBe('<span role="status">Not confirmed yet</span>')
})
