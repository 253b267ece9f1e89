'use client'

import { type RefObject, useCallback, useEffect, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'

export type PopoverAlign = 'start' | 'end'

const gap = 6
const edge = 8

/** However little room there is, so much of a popover is shown. */
const leastHeight = 96

/**
 * Places a shown popover under its trigger, or above it where there is more room and the room below is too little. One that is higher than
 * its room scrolls.
 */
export function place(popover: HTMLElement, trigger: Element, align: PopoverAlign): void {
  const anchor = trigger.getBoundingClientRect()
  const { scrollTop } = popover
  popover.style.maxHeight = ''
  const { offsetWidth: width, offsetHeight: height } = popover
  const wanted = align === 'start' ? anchor.left : anchor.right - width
  const left = Math.max(edge, Math.min(wanted, document.documentElement.clientWidth - width - edge))
  const below = window.innerHeight - edge - gap - anchor.bottom
  const above = anchor.top - gap - edge
  const isBelow = height <= below || below >= above
  const room = Math.max(leastHeight, isBelow ? below : above)
  if (height > room) popover.style.maxHeight = `${room}px`
  popover.style.left = `${left}px`
  popover.style.top = `${isBelow ? anchor.bottom + gap : anchor.top - gap - Math.min(height, room)}px`
  popover.scrollTop = scrollTop
}

type Popover<Surface extends HTMLElement> = {
  id: string
  isOpen: boolean
  triggerRef: RefObject<HTMLButtonElement | null>
  popoverRef: RefObject<Surface | null>
  open: () => void
  close: () => void
  triggerProps: {
    onPointerDown: () => void
    onClick: (event: React.MouseEvent) => void
    'aria-expanded': boolean
    'aria-controls': string | undefined
  }
  popoverProps: { id: string; popover: 'auto'; onToggle: (event: React.ToggleEvent<HTMLElement>) => void }
}

/**
 * A popover of the browser's own top layer: it closes on Escape and on a press outside, and gives the focus back. Its
 * content is rendered only while it is open; `focusInside` (a stable function) puts the focus into it.
 */
export function usePopover<Surface extends HTMLElement>(
  align: PopoverAlign,
  focusInside: (surface: Surface) => void,
): Popover<Surface> {
  const id = useId()
  const [isOpen, setIsOpen] = useState(false)
  const wasOpen = useRef(false)
  const triggerRef = useRef<HTMLButtonElement>(null)
  const popoverRef = useRef<Surface>(null)

  const open = useCallback(() => {
    const popover = popoverRef.current
    const trigger = triggerRef.current
    if (!popover || !trigger || popover.matches(':popover-open')) return
    // Shown before the flush: an effect that moves the focus into the content cannot focus a hidden element.
    popover.showPopover()
    flushSync(() => setIsOpen(true))
    place(popover, trigger, align)
    focusInside(popover)
  }, [align, focusInside])
  const close = useCallback(() => {
    if (popoverRef.current?.matches(':popover-open')) popoverRef.current.hidePopover()
  }, [])

  useEffect(() => {
    const popover = popoverRef.current
    if (!isOpen || !popover) return
    const onMove = () => {
      if (triggerRef.current) place(popover, triggerRef.current, align)
    }
    // What is read once it is open makes it higher.
    const growth = new ResizeObserver(onMove)
    growth.observe(popover)
    window.addEventListener('resize', onMove)
    window.addEventListener('scroll', onMove, { capture: true, passive: true })
    return () => {
      growth.disconnect()
      window.removeEventListener('resize', onMove)
      window.removeEventListener('scroll', onMove, { capture: true })
    }
  }, [isOpen, align])

  return {
    id,
    isOpen,
    triggerRef,
    popoverRef,
    open,
    close,
    triggerProps: {
      onPointerDown: () => {
        wasOpen.current = popoverRef.current?.matches(':popover-open') ?? false
      },
      onClick: (event) => {
        const isShown = event.detail > 0 ? wasOpen.current : (popoverRef.current?.matches(':popover-open') ?? false)
        if (isShown) close()
        else open()
      },
      'aria-expanded': isOpen,
      'aria-controls': isOpen ? id : undefined,
    },
    popoverProps: {
      id,
      popover: 'auto',
      onToggle: (event) => {
        if (event.newState === 'closed') setIsOpen(false)
      },
    },
  }
}
