import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { notMadeQuestion, SettleButtons } from './settle-buttons.tsx'

test('that an outcome had no effect is not said by one press, and the question names what is lost', () => {
  const html = renderToString(<SettleButtons verb="made" isPending={false} onSettle={() => {}} />)
  expect(html.replaceAll('<!-- -->', '')).toContain('It was not made…')
  expect(notMadeQuestion('made')).toContain('nothing warns of making it twice')
})
