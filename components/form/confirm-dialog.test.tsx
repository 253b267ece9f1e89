import type { ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { ConfirmDialog, type ConfirmOutcome } from './confirm-dialog.tsx'

vi.mock('#components/ui/dialog.tsx', () => ({
  Dialog: ({ title, children }: { title: ReactNode; children: ReactNode }) => (
    <>
      <h2>{title}</h2>
      {children}
    </>
  ),
}))

function render(outcome: ConfirmOutcome | null): string {
  return renderToString(
    <ConfirmDialog
      isOpen
      onClose={() => undefined}
      confirmationLevel="light"
      title="Lock card ending 4821?"
      consequence="Nobody can pay with it."
      confirmLabel="Lock card"
      outcome={outcome}
      onConfirm={() => undefined}
    />,
  )
}

test('the title is the question, and then states the result alone', () => {
  expect(render(null)).toContain('<h2>Lock card ending 4821?</h2>')
  const ended = render({ tone: 'warn', title: 'Not confirmed yet', body: 'Carddesk keeps checking.' })
  expect(ended).toContain('<h2><span role="alert">Not confirmed yet</span></h2>')
  expect(ended).toContain('Carddesk keeps checking.')
  expect(ended).not.toContain('Lock card ending 4821?')
  expect(ended.split('Not confirmed yet')).toHaveLength(2)
})
