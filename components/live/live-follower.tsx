'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { staleKeys } from '#lib/queries/live.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { followChanges, type LiveState } from './live-source.ts'
import { createRereader } from './rereader.ts'

/** Refetches what changed after `changeId`, while the page is open. Renders nothing. */
export function LiveFollower({ environment, changeId }: { environment: Environment; changeId: number }) {
  const client = useQueryClient()
  // A later render may pass a newer change; the open stream already covers everything since the first one.
  const [first] = useState(changeId)
  useEffect(() => {
    const rereader = createRereader((queryKey) => client.invalidateQueries({ queryKey }))
    const stop = followChanges(environment, first, {
      onState: setLiveState,
      onNews: (news) => rereader.stale(news === 'reset' ? [[environment]] : staleKeys(environment, news.about)),
    })
    return () => {
      stop()
      rereader.stop()
      setLiveState('connecting')
    }
  }, [client, environment, first])
  return null
}

let current: LiveState = 'connecting'
const listeners = new Set<() => void>()

function setLiveState(state: LiveState): void {
  current = state
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The state of the page's live updates. */
export function useLiveState(): LiveState {
  return useSyncExternalStore(
    subscribe,
    () => current,
    () => 'connecting',
  )
}
