import { globalSingleton } from './global-singleton.ts'
import { minuteMs } from './time.ts'

type Window = { minute: number; counts: Map<string, number> }

/**
 * Counts per subject and minute, in each process of the console separately. The function adds `more` to the subject's
 * count of this minute and returns the count.
 */
export function minuteCounter(name: `carddesk${string}`): (subject: string, more: number) => number {
  const window = globalSingleton<Window>(name, () => ({ minute: 0, counts: new Map() }))
  return (subject, more) => {
    const current = window()
    const minute = Math.floor(Date.now() / minuteMs)
    if (current.minute !== minute) Object.assign(current, { minute, counts: new Map() })
    const count = (current.counts.get(subject) ?? 0) + more
    current.counts.set(subject, count)
    return count
  }
}
