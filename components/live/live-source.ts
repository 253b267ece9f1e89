import type { LiveMessage } from '#lib/console/live/change.ts'
import { apiRoutes, type Environment } from '#lib/shared/routes.ts'

export type LiveState = 'connecting' | 'live' | 'reconnecting' | 'signed-out'
/** `reset`: something was missed, and everything shown may be old. */
export type LiveNews = { about: LiveMessage['about'] } | 'reset'

export type LiveListener = { onState: (state: LiveState) => void; onNews: (news: LiveNews) => void }

type Shared = { state: LiveState } | { news: LiveNews } | 'hello'

/**
 * Follows the changes of an environment. A browser opens six connections to a host at most, so its tabs share one: the
 * tab that holds the lock has the stream and passes on what it hears; when it goes, another takes over. Returns how to stop.
 */
export function followChanges(environment: Environment, listener: LiveListener): () => void {
  const stopping = new AbortController()
  const name = `carddesk-live-${environment}`
  if (!('locks' in navigator) || typeof BroadcastChannel === 'undefined') {
    return openSource(environment, null, listener)
  }
  const channel = new BroadcastChannel(name)
  // A BroadcastChannel reaches its own origin alone, and takes no target.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  const tell = (shared: Shared) => channel.postMessage(shared)
  let leading: { state: LiveState } | null = null
  let lastHeard: number | null = null
  channel.addEventListener('message', ({ data }: MessageEvent<Shared>) => {
    if (data === 'hello') {
      if (leading) tell({ state: leading.state })
    } else if (!leading && 'state' in data) listener.onState(data.state)
    else if (!leading && 'news' in data) {
      lastHeard = Date.now()
      listener.onNews(data.news)
    }
  })
  tell('hello')
  const lead = () =>
    new Promise<void>((release) => {
      if (stopping.signal.aborted) return release()
      const role: { state: LiveState } = { state: 'connecting' }
      leading = role
      const close = openSource(environment, lastHeard === null ? null : 'reset', {
        onState: (state) => {
          role.state = state
          tell({ state })
          listener.onState(state)
        },
        onNews: (news) => {
          tell({ news })
          listener.onNews(news)
        },
      })
      stopping.signal.addEventListener(
        'abort',
        () => {
          close()
          release()
        },
        { once: true },
      )
    })
  navigator.locks.request(name, { signal: stopping.signal }, lead).catch(() => undefined)
  return () => {
    stopping.abort()
    channel.close()
  }
}

/** The browser's own event source; one that gave up (an answer that is no stream) is opened again after a while. */
function openSource(environment: Environment, first: 'reset' | null, listener: LiveListener): () => void {
  let source: EventSource | null = null
  let again: ReturnType<typeof setTimeout> | undefined
  let after: string | null = null
  let isFirst = true
  let pauseMs = 1000

  function open() {
    const opened = new EventSource(apiRoutes.live(environment, after === null ? {} : { after }))
    source = opened
    opened.addEventListener('ready', (event) => {
      after = event.lastEventId || after
      pauseMs = 1000
      listener.onState('live')
      // The stream begins now: what changed while the page was on its way, or while no tab listened, is read again.
      if (isFirst && first === 'reset') listener.onNews('reset')
      isFirst = false
    })
    opened.addEventListener('reset', () => listener.onNews('reset'))
    opened.addEventListener('signed-out', () => {
      opened.close()
      listener.onState('signed-out')
      listener.onNews('reset')
    })
    opened.addEventListener('message', ({ data, lastEventId }: MessageEvent<string>) => {
      after = lastEventId || after
      const { about } = JSON.parse(data) as LiveMessage
      listener.onNews({ about })
    })
    opened.addEventListener('error', () => {
      listener.onState('reconnecting')
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
