import { expect, onTestFinished, test, vi } from 'vitest'
import { postNotice } from './notify.ts'

test('a user and a password in NOTIFY_URL go as HTTP Basic, and into no error', async () => {
  const requests: unknown[] = []
  vi.stubEnv('NOTIFY_URL', 'https://desk:p%40ss@notify.test/hook')
  vi.stubGlobal('fetch', (url: string, { headers }: RequestInit) => {
    requests.push([url, new Headers(headers).get('authorization')])
    return Promise.resolve(new Response(null, { status: requests.length > 1 ? 403 : 200 }))
  })
  onTestFinished(() => {
    vi.unstubAllEnvs()
    vi.unstubAllGlobals()
  })
  await postNotice('A text.')
  expect(requests).toEqual([['https://notify.test/hook', `Basic ${Buffer.from('desk:p@ss').toString('base64')}`]])
  await expect(postNotice('A text.')).rejects.toThrow(/^NOTIFY_URL returned 403$/)
})
