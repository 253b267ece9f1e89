import { useEffect, type RefObject } from 'react'

const typing =
  'input:not([type=checkbox]), textarea, select, [contenteditable="true"], [role="menu"], [role="dialog"], [role="alertdialog"]'

/** j and k move the focus from row link to row link; Enter then opens the row by itself, x and Space choose it. */
export function useRowKeys(region: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if (!['j', 'k', 'x', ' '].includes(event.key) || event.ctrlKey || event.metaKey || event.altKey) return
      if (event.target instanceof Element && event.target.closest(typing)) return
      if (document.querySelector('[role="dialog"][data-open], [role="alertdialog"][data-open]')) return
      const here = region.current
      if (!here || tableInCharge() !== here) return
      if (event.key === 'x' || event.key === ' ') {
        const focused = document.activeElement
        // The checkbox itself has the key already; on another control Space presses that one.
        if (!focused?.matches(event.key === 'x' ? '*' : '[data-row-link]')) return
        const choice = focused.closest('tr')?.querySelector<HTMLElement>('[data-row-choice]')
        if (!choice || choice === focused) return
        event.preventDefault()
        choice.click()
        return
      }
      const links = [...here.querySelectorAll<HTMLElement>('[data-row-link]')]
      if (links.length === 0) return
      event.preventDefault()
      const row = document.activeElement?.closest('tr') ?? null
      const at = links.findIndex((link) => link.closest('tr') === row)
      const next = at === -1 ? 0 : Math.max(0, Math.min(links.length - 1, at + (event.key === 'j' ? 1 : -1)))
      links[next]?.focus()
      links[next]?.closest('tr')?.scrollIntoView({ block: 'nearest' })
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [region])
}

/** The table that has the focus, or the page's first. */
function tableInCharge(): Element | null {
  return (
    document.activeElement?.closest('[data-table-region]') ??
    [...document.querySelectorAll('[data-table-region]')].find((region) => region.querySelector('[data-row-link]')) ??
    null
  )
}
