/** Work that a process does beside its requests: whoever ends the process can wait for it. */
export type WorkUnderWay = { track: (work: Promise<void>) => void; ended: () => Promise<void> }

/** Work of which none is under way yet. `ended` waits for what begins meanwhile, too. */
export function workUnderWay(): WorkUnderWay {
  const works = new Set<Promise<void>>()
  return {
    track(work) {
      works.add(work)
      void work.finally(() => works.delete(work))
    },
    async ended() {
      while (works.size > 0) await Promise.all(works)
    },
  }
}
