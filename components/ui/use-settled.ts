'use client'

import { useEffect, useState } from 'react'

const waitMs = 150

/** The typed text, updated shortly after the last key. */
export function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), waitMs)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
