/** Counts what happened during the last `windowMs`, in tenths of it. Times are given, and only go forward. */
type SlidingCount = { add: (nowMs: number) => void; total: (nowMs: number) => number; clear: () => void }

const slices = 10

export function slidingCount(windowMs: number): SlidingCount {
  const sliceMs = windowMs / slices
  let counted: { slice: number; count: number }[] = []

  function current(nowMs: number): number {
    const slice = Math.floor(nowMs / sliceMs)
    counted = counted.filter((entry) => entry.slice > slice - slices)
    return slice
  }

  return {
    add(nowMs) {
      const slice = current(nowMs)
      const last = counted.at(-1)
      if (last?.slice === slice) last.count++
      else counted.push({ slice, count: 1 })
    },
    total(nowMs) {
      current(nowMs)
      return counted.reduce((sum, { count }) => sum + count, 0)
    },
    clear() {
      counted = []
    },
  }
}
