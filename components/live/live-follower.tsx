'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { staleKeys } from '#lib/queries/live.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { followChanges } from './live-source.ts'
import { setLiveState } from './live-state.ts'
import { createRereader } from './rereader.ts'

/** Reads again what changed, as long as the page is open. Shows nothing. */
export function LiveFollower({ environment }: { environment: Environment }) {
  const client = useQueryClient()
  useEffect(() => {
    const rereader = createRereader((queryKey) => client.invalidateQueries({ queryKey }))
    const stop = followChanges(environment, {
      onState: setLiveState,
      onNews: (news) => rereader.stale(news === 'reset' ? [[environment]] : staleKeys(environment, news.about)),
    })
    return () => {
      stop()
      rereader.stop()
      setLiveState('connecting')
    }
  }, [client, environment])
  return null
}
