'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { staleKeys } from '#lib/queries/live.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { followChanges, type LiveNews } from './live-source.ts'
import { setLiveState } from './live-state.ts'

/** Many changes at once are one reading: the first is read at once, the others together. */
const pauseMs = 250

/** Reads again what changed, as long as the page is open. Shows nothing. */
export function LiveFollower({ environment }: { environment: Environment }) {
  const client = useQueryClient()
  useEffect(() => {
    let waiting: LiveNews[] = []
    let timer: ReturnType<typeof setTimeout> | undefined

    function readAgain() {
      const news = waiting
      waiting = []
      timer = undefined
      if (news.length === 0) return
      timer = setTimeout(readAgain, pauseMs)
      if (news.includes('reset')) return void client.invalidateQueries({ queryKey: [environment] })
      const about = news.flatMap((one) => (one === 'reset' ? [] : one.about))
      for (const queryKey of staleKeys(environment, about)) void client.invalidateQueries({ queryKey })
    }

    const stop = followChanges(environment, {
      onState: setLiveState,
      onNews: (news) => {
        waiting.push(news)
        if (timer === undefined) readAgain()
      },
    })
    return () => {
      stop()
      clearTimeout(timer)
      setLiveState('connecting')
    }
  }, [client, environment])
  return null
}
