import type { LiveMessage } from '#lib/live/types.ts'
import { apiRoutes, type Environment } from '#lib/shared/routes.ts'

export type LiveState = 'connecting' | 'live' | 'reconnecting' | 'signed-out'
/** `reset`: something was missed, and everything shown may be old. */
export type LiveNews = { about: LiveMessage['about'] } | 'reset'

type LiveListener = { onState: (state: LiveState) => void; onNews: (news: LiveNews) => void }

/** Message of the tab with the stream to the others: its state, the id of the newest change, and that change. */
type TabMessage = { state: LiveState; changeId: number; news?: LiveNews }
type Shared = TabMessage | 'hello'

/**
 * Follows the changes of an environment after the change `changeId`. A browser opens six connections to a host at most, so its
 * tabs share one: the tab that holds the lock has the stream and passes on what it hears; when it goes, or its session ends, another
 * takes over where it was. Returns how to stop.
 */
export function followChanges(environment: Environment, changeId: number, listener: LiveListener): () => void {
  const stopping = new AbortController()
  const name = `carddesk-changes-${environment}`
  if (!('locks' in navigator) || typeof BroadcastChannel === 'undefined') {
    return openSource(environment, changeId, ({ state, news }) => {
      listener.onState(state)
      if (news) listener.onNews(news)
    })
  }
  const channel = new BroadcastChannel(name)
  // A BroadcastChannel reaches only its own origin, and takes no target.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  const broadcast = (shared: Shared) => channel.postMessage(shared)
  let leading: TabMessage | null = null
  /** Whether the session ended while this tab had the stream. */
  let hasEnded = false
  let heard = changeId
  channel.addEventListener('message', ({ data }: MessageEvent<Shared>) => {
    if (data === 'hello') {
      if (leading) broadcast({ state: leading.state, changeId: leading.changeId })
    } else if (!leading) {
      listener.onState(data.state)
      if (data.news) listener.onNews(data.news)
      // Changes during the load of this tab's page reached only the others.
      else if (data.changeId > heard) listener.onNews('reset')
      heard = Math.max(heard, data.changeId)
      // Somebody is signed in again.
      if (hasEnded && data.state === 'live') request()
    }
  })
  broadcast('hello')
  const lead = () =>
    new Promise<void>((release) => {
      if (stopping.signal.aborted) return release()
      leading = { state: 'connecting', changeId: heard }
      const stop = () => {
        leading = null
        close()
        release()
      }
      const close = openSource(environment, heard, (message) => {
        leading = message
        heard = message.changeId
        broadcast(message)
        listener.onState(message.state)
        if (message.news) listener.onNews(message.news)
        // The next tab may be one that is signed in.
        hasEnded = message.state === 'signed-out'
        if (hasEnded) stop()
      })
      stopping.signal.addEventListener('abort', stop, { once: true })
    })
  const request = () => {
    hasEnded = false
    navigator.locks.request(name, { signal: stopping.signal }, lead).catch(() => undefined)
  }
  request()
  return () => {
    stopping.abort()
    channel.close()
  }
}

/** The browser's own event source; one that gave up (a response that is no stream) is opened again after a while. */
function openSource(environment: Environment, first: number, hear: (message: TabMessage) => void): () => void {
  let source: EventSource | null = null
  let again: ReturnType<typeof setTimeout> | undefined
  let state: LiveState = 'connecting'
  let changeId = first
  let pauseMs = 1000

  function message(news?: LiveNews) {
    hear({ state, changeId, ...(news ? { news } : {}) })
  }

  function open() {
    const opened = new EventSource(apiRoutes.live(environment, { after: String(changeId) }))
    source = opened
    opened.addEventListener('ready', ({ lastEventId }) => {
      changeId = Number(lastEventId)
      pauseMs = 1000
      state = 'live'
      message()
    })
    opened.addEventListener('reset', () => message('reset'))
    opened.addEventListener('signed-out', () => {
      opened.close()
      state = 'signed-out'
      message('reset')
    })
    opened.addEventListener('message', ({ data }: MessageEvent<string>) => {
      const { id, about } = JSON.parse(data) as LiveMessage
      changeId = id
      message({ about })
    })
    opened.addEventListener('error', () => {
      state = 'reconnecting'
      message()
      if (opened.readyState !== EventSource.CLOSED) return
      pauseMs = Math.min(pauseMs * 2, 30_000)
      again = setTimeout(open, pauseMs)
    })
  }

  open()
  return () => {
    clearTimeout(again)
    source?.close()
  }
}
