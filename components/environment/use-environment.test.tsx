import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { EnvironmentProvider, useEnvironment } from './use-environment.ts'

function Named() {
  return useEnvironment()
}

test('a component has the environment of its page, and none outside of the console', () => {
  const html = renderToString(
    <EnvironmentProvider value="production">
      <Named />
    </EnvironmentProvider>,
  )
  expect(html).toBe('production')
  expect(() => renderToString(<Named />)).toThrow('No environment')
})
