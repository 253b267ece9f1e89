type Guard = (leave: () => void) => void

let guard: Guard | null = null

/** While a page holds unsaved work, its guard is called before the page is left; the returned function removes it. */
export function guardLeaving(next: Guard): () => void {
  guard = next
  return () => {
    if (guard === next) guard = null
  }
}

/** Leaves the page by a function, where no guard is set; otherwise the guard decides when. */
export function leaveBy(leave: () => void): void {
  if (guard) guard(leave)
  else leave()
}
