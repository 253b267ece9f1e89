'use client'

import { useEffect, useState } from 'react'
import type { Command, CommandSearch } from './command.ts'

const waitMs = 120
/** One letter finds too much, and one Chinese character is a whole surname. */
const isEnough = (text: string) =>
  [...text].length > 1 || /\p{Script=Han}|\p{Script=Hangul}|\p{Script=Hiragana}|\p{Script=Katakana}/u.test(text)

type Found = { query: string; results: Command[]; hasFailed: boolean }

const nothing: Found = { query: '', results: [], hasFailed: false }

async function find(search: CommandSearch, query: string, signal: AbortSignal): Promise<Found> {
  try {
    return { query, results: await search(query, signal), hasFailed: false }
  } catch {
    return { query, results: [], hasFailed: true }
  }
}

/** Searches a moment after the last key. What was found for another text is never shown for this one. */
export function useCommandSearch(
  query: string,
  search: CommandSearch | undefined,
): { results: Command[]; isSearching: boolean; hasFailed: boolean } {
  const wanted = query.trim()
  const isWanted = search !== undefined && isEnough(wanted)
  const [found, setFound] = useState<Found>(nothing)
  useEffect(() => {
    if (!search || !isWanted) return
    const controller = new AbortController()
    const timer = setTimeout(async () => {
      const response = await find(search, wanted, controller.signal)
      if (!controller.signal.aborted) setFound(response)
    }, waitMs)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [wanted, isWanted, search])
  const isFound = isWanted && found.query === wanted
  return {
    results: isFound ? found.results : nothing.results,
    hasFailed: isFound && found.hasFailed,
    isSearching: isWanted && !isFound,
  }
}
