import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { WebhookHealth } from '#lib/console/webhooks/types.ts'
import { type PanelActions, WebhookActions } from './webhook-actions.tsx'

const webhook: WebhookHealth = {
  id: '11111111-1111-4111-8111-111111111111',
  name: 'ledger-sync',
  url: 'https://ledger.example.com/in',
  events: ['*'],
  state: 'healthy',
  status: 'healthy',
  otherFields: {},
  unreadable: null,
  lastReading: null,
  queuedMessages: 0,
  queuedHourAgo: null,
  lastSuccessAtMs: null,
  lastFailureAtMs: null,
  since: null,
  suspension: null,
  level: null,
  isRemovedHere: false,
  isReplaced: false,
  isNew: false,
  isAcknowledged: false,
  isOwnInbox: false,
  transitions: [],
  queue: [],
}

function html(changes: Partial<WebhookHealth>, actions: Partial<PanelActions> = {}): string {
  const none = () => undefined
  const all: PanelActions = {
    unavailable: undefined,
    isTestOffered: true,
    onRemove: none,
    onRecreate: none,
    ...actions,
  }
  const test = { isPending: false, send: none }
  return renderToStaticMarkup(<WebhookActions webhook={{ ...webhook, ...changes }} actions={all} test={test} />)
}

/** The buttons by their label, with the reason where they cannot be used. */
function buttons(markup: string): Record<string, string | null> {
  const found = [...markup.matchAll(/<button([^>]*)>(.*?)<\/button>/g)].map(([, attributes = '', inner = '']) => {
    const reasonId = /aria-describedby="([^"]+)"/.exec(attributes)?.[1]
    const reason = reasonId ? new RegExp(`id="${reasonId}"[^>]*>([^<]*)<`).exec(markup)?.[1] : undefined
    expect(attributes.includes('aria-disabled="true"')).toBe(reason !== undefined)
    return [inner.replaceAll(/<[^>]*>/g, ''), reason ?? null]
  })
  return Object.fromEntries(found) as Record<string, string | null>
}

test('a living webhook is tested and removed, a deleted one is created again', () => {
  expect(buttons(html({}))).toEqual({ 'Send a test': null, 'Remove…': null })
  expect(buttons(html({ state: 'suspended' }))).toEqual({ 'Ping now': null, 'Remove…': null })
  expect(buttons(html({ state: 'deleted' }))).toEqual({ 'Create again': null })
})

test('where the service cannot send a test, the button explains it and offers an alternative; removing is possible', () => {
  const found = buttons(html({}, { isTestOffered: false }))
  expect(found['Send a test']).toMatch(/can’t send one. Cause an event instead/)
  expect(found['Remove…']).toBeNull()
  const suspended = buttons(html({ state: 'suspended' }, { isTestOffered: false }))
  expect(suspended['Ping now']).toMatch(/can’t send one. The card service pings every 5 minutes/)
})

test('the effect of a test is explained in its tooltip', () => {
  const note = /One signed ping, sent beside the queue\. Its failure changes nothing/
  expect(html({})).toMatch(note)
  expect(html({})).not.toMatch(/resumes delivery/)
  expect(html({ state: 'suspended' })).toMatch(/its success resumes delivery/)
  expect(html({}, { isTestOffered: false })).not.toMatch(note)
  expect(html({ state: 'deleted' })).not.toMatch(note)
})

test('a person without the permission sees why; a webhook with unread events can’t be recreated', () => {
  const why = 'Only Operations and QA can do this.'
  expect(buttons(html({}, { unavailable: why }))).toEqual({ 'Send a test': why, 'Remove…': why })
  expect(buttons(html({ state: 'deleted', events: null }))['Create again']).toBe('Its events are unknown.')
  expect(buttons(html({ state: 'deleted', isReplaced: true }))['Create again']).toBe('Another webhook gets its events.')
})

test('the inbox of Carddesk cannot be removed, with the reason', () => {
  const own = html({ isOwnInbox: true })
  expect(own).toMatch(/<button[^>]*aria-disabled="true"[^>]*>(?:(?!<\/button>).)*Remove…/)
  expect(own).toContain('Carddesk receives its events here, so it can’t be removed.')
  expect(html({})).not.toContain('can’t be removed')
})
