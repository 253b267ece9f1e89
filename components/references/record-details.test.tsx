import { QueryClientProvider } from '@tanstack/react-query'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { EnvironmentProvider } from '#components/environment/use-environment.ts'
import { createQueryClient } from '#lib/queries/reads.ts'
import { RecordDetails } from './record-details.tsx'

const target = { type: 'cardaccount', id: '1', label: 'Lee Ka Yan' } as const

test('the button is named by the text that people see, so that they can say it', () => {
  const html = renderToString(
    <EnvironmentProvider value="sandbox">
      <QueryClientProvider client={createQueryClient()}>
        <RecordDetails target={target} record={{ xid: 'EMP-1001', xmetadata: null }} facts={[]} />
      </QueryClientProvider>
    </EnvironmentProvider>,
  )
  const [button = ''] = /<button.*?<\/button>/.exec(html) ?? []
  expect(button.replaceAll(/<[^>]*>/g, '')).toBe('Edit references')
  expect(button).not.toContain('aria-label=')
})
