import { QueryClient } from '@tanstack/react-query'
import { UnrecognizedActionError } from 'next/dist/client/components/unrecognized-action-error.js'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { ActionName } from '#lib/api/actions.ts'
import { readDefinitions, type ReadName } from '#lib/api/reads.ts'
import { readKey } from '#lib/queries/reads.ts'
import { refusedHere } from './outcome-text.tsx'
import { refetchChanged } from './use-action.ts'
import { withStepUp } from './with-step-up.ts'

/** The topics of the reads that are stale after an action. */
async function staleTopics(name: ActionName): Promise<string[]> {
  const client = new QueryClient()
  const keys = Object.keys(readDefinitions).map((read) => readKey(read as ReadName, 'sandbox'))
  for (const queryKey of keys) client.setQueryData(queryKey, {})
  client.setQueryData(readKey('listCardAccounts', 'production'), {})
  await refetchChanged(client, 'sandbox', name)
  const stale = client.getQueryCache().findAll({ stale: true, predicate: ({ state }) => state.isInvalidated })
  return [...new Set(stale.map(({ queryKey }) => `${queryKey[0] as string}/${queryKey[1] as string}`))].toSorted()
}

test('what is stale after an action follows from its definition, and the audit log always is', async () => {
  expect(await staleTopics('changeView')).toEqual(['sandbox/audit', 'sandbox/saved-views'])
  expect(await staleTopics('createEmbedToken')).toEqual(['sandbox/audit'])
  expect(await staleTopics('skipDelivery')).toEqual(['sandbox/audit', 'sandbox/webhooks'])
})

test('an action that may change anything makes every read of the environment stale, and none of the other', async () => {
  const stale = await staleTopics('decideApproval')
  expect(stale).toContain('sandbox/card-accounts')
  expect(stale).not.toContain('production/card-accounts')
})

test('a page of another build is told to reload: its action did not begin, while a lost response may have', async () => {
  expect(await withStepUp(() => Promise.reject(new UnrecognizedActionError('not found')))).toMatchObject({
    outcome: { state: 'refused', changed: 'no', next: 'Reload the page, then do it again.' },
  })
  await expect(withStepUp(() => Promise.reject(new TypeError('fetch failed')))).rejects.toThrow('fetch failed')
})

test('a passkey that cannot be asked for, as its code is not fetched, leaves nothing sent', async () => {
  vi.doMock('@simplewebauthn/browser', () => Promise.reject(new Error('not fetched')))
  onTestFinished(() => vi.doUnmock('@simplewebauthn/browser'))
  const stepUp = { id: 'id', options: { challenge: '' } }
  const send = vi.fn(() =>
    Promise.resolve({
      kind: 'refused' as const,
      outcome: { ...refusedHere({ happened: 'Confirm this with your passkey.', next: '' }), stepUp },
    }),
  )
  expect(await withStepUp(send)).toMatchObject({
    outcome: { state: 'refused', changed: 'no', happened: expect.stringContaining('Nothing was sent.') as string },
  })
  expect(send).toHaveBeenCalledOnce()
})
