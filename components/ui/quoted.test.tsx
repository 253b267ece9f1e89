import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Quoted } from './quoted.tsx'

test('what a person wrote is isolated: it cannot turn the text around it', () => {
  const turning = 'paid \u202E00.001'
  expect(renderToStaticMarkup(<Quoted>{turning}</Quoted>)).toContain(`“<bdi>${turning}</bdi>”`)
})
