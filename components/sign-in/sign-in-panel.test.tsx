import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { SignInPanel } from './sign-in-panel.tsx'

test('two people of a role have the purpose of it, but for the second admin', () => {
  const staff = ['admin', 'operations', 'operations', 'admin'].map((role, at) => ({
    id: `${at}`,
    name: `${role} ${at}`,
    role,
  }))
  const html = renderToString(<SignInPanel choices={{ mode: 'demo', staff }} action="/" hidden={{}} />)
  const count = (text: string) => html.split(text).length - 1
  expect(count('Runs cards, fees, limits, payouts and identities.')).toBe(2)
  expect(count('Manages staff and the approval policy.')).toBe(1)
  expect(count('Second admin, for two-person changes.')).toBe(1)
})
