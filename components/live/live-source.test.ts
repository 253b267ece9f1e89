import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import type { Change } from '#lib/live/types.ts'
import { followChanges, type LiveNews, type LiveState } from './live-source.ts'

/** A stream that says what the test has it say. */
class Source extends EventTarget {
  static readonly CLOSED = 2
  static opened: Source[] = []
  readyState = 1
  readonly url: string
  constructor(url: string) {
    super()
    this.url = url
    Source.opened.push(this)
  }
  close() {
    this.readyState = Source.CLOSED
  }
  ready(changeId: number) {
    this.dispatchEvent(new MessageEvent('ready', { data: '{}', lastEventId: String(changeId) }))
  }
  change(id: number, about: Change[]) {
    this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify({ id, about }), lastEventId: String(id) }))
  }
}

beforeEach(() => {
  Source.opened = []
  vi.stubGlobal('EventSource', Source)
})
afterEach(() => void vi.unstubAllGlobals())

const fees: Change[] = [{ type: 'fees' }]
const rates: Change[] = [{ type: 'rates' }]

function openTab(changeId: number) {
  const heard: LiveNews[] = []
  const states: LiveState[] = []
  const stop = followChanges('sandbox', changeId, {
    onState: (state) => states.push(state),
    onNews: (news) => heard.push(news),
  })
  onTestFinished(stop)
  return { heard, states, stop }
}

const openedSource = (number: number) =>
  vi.waitFor(() => {
    const source = Source.opened[number]
    if (!source) throw new Error('No stream is open.')
    return source
  })

test('the stream begins where the page was read', async () => {
  const tab = openTab(41)
  const source = await openedSource(0)
  expect(source.url).toBe('/api/sandbox/live?after=41')
  source.change(42, fees)
  source.ready(42)
  expect(tab.heard).toEqual([{ about: fees }])
  expect(tab.states.at(-1)).toBe('live')
})

test('tabs share one stream; a page older than the stream’s last change reads everything again', async () => {
  openTab(10)
  const source = await openedSource(0)
  source.ready(10)
  source.change(12, fees)
  const older = openTab(11)
  const newer = openTab(12)
  await vi.waitFor(() => expect([older.states.at(-1), newer.states.at(-1)]).toEqual(['live', 'live']))
  expect(older.heard).toEqual(['reset'])
  expect(newer.heard).toEqual([])
  source.change(13, rates)
  await vi.waitFor(() => expect(newer.heard).toEqual([{ about: rates }]))
  await vi.waitFor(() => expect(older.heard).toEqual(['reset', { about: rates }]))
  expect(Source.opened).toHaveLength(1)
})

test('when the tab with the stream closes, another continues after the last change it received', async () => {
  const first = openTab(10)
  const source = await openedSource(0)
  source.ready(10)
  const second = openTab(10)
  await vi.waitFor(() => expect(second.states).toContain('live'))
  source.change(15, fees)
  await vi.waitFor(() => expect(second.heard).toHaveLength(1))
  first.stop()
  const next = await openedSource(1)
  expect(source.readyState).toBe(Source.CLOSED)
  expect(next.url).toBe('/api/sandbox/live?after=15')
})

test('a tab whose session ended leaves the stream to one that is signed in, and follows it', async () => {
  const ended = openTab(10)
  const source = await openedSource(0)
  source.ready(10)
  source.dispatchEvent(new Event('signed-out'))
  expect(ended.states.at(-1)).toBe('signed-out')
  const signedIn = openTab(12)
  const next = await openedSource(1)
  next.ready(12)
  expect(signedIn.states).toEqual(['live'])
  await vi.waitFor(() => expect(ended.states.at(-1)).toBe('live'))
  signedIn.stop()
  expect((await openedSource(2)).url).toBe('/api/sandbox/live?after=12')
})

test('a stream that is refused is requested again, from the change heard last', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const tab = openTab(7)
  const source = await openedSource(0)
  source.change(9, fees)
  source.close()
  source.dispatchEvent(new Event('error'))
  expect(tab.states.at(-1)).toBe('reconnecting')
  await vi.advanceTimersByTimeAsync(2000)
  expect((await openedSource(1)).url).toBe('/api/sandbox/live?after=9')
})
