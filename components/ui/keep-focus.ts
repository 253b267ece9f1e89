import { pageHeading } from './page-heading.ts'

/** A dialog that closes, and a screen that goes on with another element, have moved the focus by then. */
const othersFirstMs = 100

/**
 * Where the element with the focus is taken away, the heading of the nearest part of the page that is still there gets the focus: the
 * next Tab goes on from there, and a second Enter presses nothing. Back in a list, the row of the page that was left gets it. Returns a
 * function that ends this.
 */
export function keepFocus(): () => void {
  const ending = new AbortController()
  const { signal } = ending
  /** What has or had the focus, and everything around it, from the inside out. */
  let path: Element[] = []
  /** The page on which it was. */
  let page = location.pathname
  document.addEventListener(
    'focusin',
    ({ target }) => {
      path = target instanceof Element ? listAround(target) : []
      page = location.pathname
    },
    { capture: true, passive: true, signal },
  )
  const observer = new MutationObserver(() => {
    if (path[0]?.isConnected !== false) return
    const lost = path
    path = []
    setTimeout(() => {
      if (document.activeElement !== document.body || signal.aborted) return
      const place = (page === location.pathname ? null : findRowLink(page)) ?? findHeading(lost)
      place?.focus({ preventScroll: true })
    }, othersFirstMs)
  })
  observer.observe(document.body, { childList: true, subtree: true })
  return () => {
    observer.disconnect()
    ending.abort()
  }
}

function listAround(element: Element): Element[] {
  const path: Element[] = []
  for (let one: Element | null = element; one && one !== document.body; one = one.parentElement) path.push(one)
  return path
}

/** The link of a table’s row that leads to a page. */
function findRowLink(pathname: string): HTMLElement | null {
  const links = document.querySelectorAll<HTMLAnchorElement>('a[data-row-link]')
  return [...links].find((link) => link.pathname === pathname) ?? null
}

function findHeading(lost: readonly Element[]): HTMLElement | null {
  for (const part of lost) {
    const heading = part.isConnected ? part.querySelector<HTMLElement>('h1, h2, h3') : null
    if (heading) {
      heading.tabIndex = -1
      return heading
    }
  }
  const heading = pageHeading()
  return heading === true ? null : heading
}
