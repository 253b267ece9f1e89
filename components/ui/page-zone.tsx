'use client'

import { createContext, type ReactNode, useContext } from 'react'
import { hktZone, type PageZone } from './time-format.ts'

const PageZoneContext = createContext<PageZone>(hktZone)

/** Gives every Time below it the one zone of the page. */
export function PageZoneProvider({ zone, children }: { zone: PageZone; children: ReactNode }) {
  return <PageZoneContext value={zone}>{children}</PageZoneContext>
}

export function usePageZone(): PageZone {
  return useContext(PageZoneContext)
}
