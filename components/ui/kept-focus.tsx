'use client'

import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { pageHeading } from './page-heading.ts'

/** Around controls that their own action takes away: a focus on one of them goes to the page's heading then. A dialog keeps its own. */
export function KeptFocus({ className = 'contents', children }: { className?: string; children: ReactNode }) {
  const element = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const around = element.current
    return () => {
      if (!around?.contains(document.activeElement) || around.closest('[data-kind]')) return
      queueMicrotask(() => {
        const heading = pageHeading()
        if (heading !== true) heading.focus()
      })
    }
  }, [])
  return (
    <div ref={element} className={className}>
      {children}
    </div>
  )
}
