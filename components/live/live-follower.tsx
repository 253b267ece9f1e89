'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { staleKeys } from '#lib/queries/live.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { followChanges } from './live-source.ts'
import { setLiveState } from './live-state.ts'
import { createRereader } from './rereader.ts'

/** Refetches what changed after `place`, while the page is open. Renders nothing. */
export function LiveFollower({ environment, place }: { environment: Environment; place: number }) {
  const client = useQueryClient()
  // The frame may be rendered again with a newer place; this one has heard everything since its own.
  const [first] = useState(place)
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
