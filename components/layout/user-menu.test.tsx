import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { UserMenu } from './user-menu.tsx'

test.each([
  ['Olivia Poon', 'OP'],
  ['Olivia Mei Ling Poon', 'OP'],
  ['olivia', 'O'],
  ['陳大文', '陳'],
  // A character of two code units.
  ['𠮷田 花子', '𠮷花'],
])('the initials of %s are %s', (name, initials) => {
  const none = () => undefined
  const shown = renderToString(
    <UserMenu user={{ name, role: 'Support' }} pages={[]} onShortcuts={none} onSignOut={none} />,
  )
  expect(shown).toContain(`>${initials}</span>`)
})
