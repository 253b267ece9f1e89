import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { EnvironmentProvider } from '#components/environment/use-environment.ts'
import { AttentionList, detailText } from './attention-list.tsx'

test('an amount among the details is written as everywhere', () => {
  expect(detailText('1191629.5 HKD available')).toBe('1,191,629.50 HKD available')
  expect(detailText('-130 HKD')).toBe('−130.00 HKD')
  expect(detailText('-999990000 USDT')).toBe('−999,990,000.00 USDT')
  expect(detailText('-1234.5 840')).toBe('−1,234.50 840')
  expect(detailText('EMP-10018')).toBe('EMP-10018')
  expect(detailText('Invalid ID (name check hit)')).toBe('Invalid ID (name check hit)')
})

type Props = Parameters<typeof AttentionList>[0]

function textOf({ waiting = 0, inWork = 0, isAttentionComplete = true }) {
  const attention: Props['overview']['attention'] = [{ id: 'approval-waiting', count: waiting, examples: [] }]
  const work: Props['work'] = { count: inWork, sections: [{ source: 'approvals', count: inWork, items: [] }] }
  const html = renderToString(
    <EnvironmentProvider value="sandbox">
      <AttentionList overview={{ attention, isAttentionComplete, identitiesExcluded: 0 }} work={work} />
    </EnvironmentProvider>,
  )
  return html.replaceAll(/<[^>]*>/g, '')
}

test('nothing is said to need attention only where everything was read', () => {
  expect(textOf({})).toContain('Nothing needs attention.')
  expect(textOf({ isAttentionComplete: false })).toContain('Nothing was found in what was read so far.')
})

test('what waits for a person in their own work is left out only where that has all of it', () => {
  expect(textOf({ waiting: 1, inWork: 1 })).toMatch(/attentionNothing else needs attention\.$/)
  expect(textOf({ waiting: 5, inWork: 1 })).toContain('5 requests waiting for approval')
})
