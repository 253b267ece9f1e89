'use client'

import { type RefObject, useEffect, useState } from 'react'

/**
 * Whether a table is wider than its region. Then the region scrolls by itself and takes the keyboard; otherwise it
 * clips, which lets the header row stick to the window. Null before it is measured.
 */
export function useIsOverflowing(region: RefObject<HTMLElement | null>): boolean | null {
  const [isOverflowing, setIsOverflowing] = useState<boolean | null>(null)
  useEffect(() => {
    const element = region.current
    const table = element?.querySelector('table')
    if (!element || !table) return
    const observer = new ResizeObserver(() => setIsOverflowing(table.scrollWidth > element.clientWidth + 1))
    observer.observe(element)
    observer.observe(table)
    return () => observer.disconnect()
  }, [region])
  return isOverflowing
}
