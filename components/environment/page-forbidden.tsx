'use client'

import { usePathname } from 'next/navigation'
import { Forbidden } from './forbidden.tsx'
import { findPagePermission } from './navigation.tsx'

/** Shown within the frame, which has loaded the navigation. */
export function PageForbidden() {
  return <Forbidden isInShell permission={findPagePermission(usePathname())} />
}
