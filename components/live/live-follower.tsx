'use client'

import { useQueryClient, type QueryKey } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { isBelow, staleKeys } from '#lib/queries/reads.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { followChanges, type LiveState } from './live-source.ts'

/** Refetches what changed after `changeId`, while the page is open. Renders nothing. */
export function LiveFollower({ environment, changeId }: { environment: Environment; changeId: number }) {
  const client = useQueryClient()
  // A later render may pass a newer change; the open stream already covers everything since the first one.
  const [first] = useState(changeId)
  useEffect(() => {
    const rereader = createRereader((stale) =>
      client.invalidateQueries({ predicate: ({ queryKey }) => isBelow(stale, queryKey) }),
    )
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

/** Refetches of one key that start immediately, and how many a second follow while it keeps changing. */
const burst = 8
const perSecond = 4
/** Beyond so many keys, those that have long been quiet are forgotten. */
const rememberedKeys = 100

type Reading = {
  queryKey: QueryKey
  isStale: boolean
  isRunning: boolean
  timer: ReturnType<typeof setTimeout> | undefined
  allowance: number
  refilledAt: number
}

/**
 * Refetches stale keys: immediately, one request for a key at a time, and once more where it became stale meanwhile.
 * During many changes a key is refetched a few times a second, and a last time after the newest change.
 */
export function createRereader(read: (queryKey: QueryKey) => Promise<unknown>): {
  stale: (queryKeys: readonly QueryKey[]) => void
  stop: () => void
} {
  const readings = new Map<string, Reading>()
  let isStopped = false

  function go(reading: Reading): void {
    if (isStopped || !reading.isStale || reading.isRunning || reading.timer !== undefined) return
    refill(reading)
    if (reading.allowance < 1) {
      const waitMs = ((1 - reading.allowance) / perSecond) * 1000
      reading.timer = setTimeout(() => {
        reading.timer = undefined
        go(reading)
      }, Math.ceil(waitMs))
      return
    }
    reading.allowance -= 1
    reading.isStale = false
    reading.isRunning = true
    const end = () => {
      reading.isRunning = false
      go(reading)
    }
    read(reading.queryKey).then(end, end)
  }

  function findReading(queryKey: QueryKey): Reading {
    const name = JSON.stringify(queryKey)
    const known = readings.get(name)
    if (known) return known
    if (readings.size >= rememberedKeys) forgetQuiet(readings)
    const made: Reading = {
      queryKey,
      isStale: false,
      isRunning: false,
      timer: undefined,
      allowance: burst,
      refilledAt: Date.now(),
    }
    readings.set(name, made)
    return made
  }

  return {
    stale(queryKeys) {
      for (const queryKey of queryKeys) {
        const reading = findReading(queryKey)
        reading.isStale = true
        go(reading)
      }
    },
    stop() {
      isStopped = true
      for (const { timer } of readings.values()) clearTimeout(timer)
      readings.clear()
    },
  }
}

function refill(reading: Reading): void {
  const now = Date.now()
  reading.allowance = Math.min(burst, reading.allowance + ((now - reading.refilledAt) / 1000) * perSecond)
  reading.refilledAt = now
}

function forgetQuiet(readings: Map<string, Reading>): void {
  for (const [name, reading] of readings) {
    refill(reading)
    const isQuiet = !reading.isStale && !reading.isRunning && reading.allowance === burst
    if (isQuiet) readings.delete(name)
  }
}
