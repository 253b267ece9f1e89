type Ask = (leave: () => void) => void

let guard: Ask | null = null

/** While a page holds something that would be lost, it is asked before somebody leaves; what it returns takes that away. */
export function guardLeaving(request: Ask): () => void {
  guard = request
  return () => {
    if (guard === request) guard = null
  }
}

/** Leaves the page by a function, where nobody minds; otherwise the page decides when. */
export function leaveBy(leave: () => void): void {
  if (guard) guard(leave)
  else leave()
}
