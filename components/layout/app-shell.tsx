'use client'

import { Menu as MenuIcon, Search } from 'lucide-react'
import Link from 'next/link'
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { Dialog, preloadDialog } from '#components/ui/dialog.tsx'
import { IconButton } from '#components/ui/icon-button.tsx'
import { KeyboardShortcut } from '#components/ui/keyboard-shortcut.tsx'
import type { Preferences } from '#components/ui/preferences.ts'
import { SkipLink } from '#components/ui/skip-link.tsx'
import type { Environment } from '#lib/shared/routes.ts'
import type { Command, CommandSearch } from './command.ts'
import { EnvironmentBand, EnvironmentSwitch } from './environment-switch.tsx'
import { Logo } from './logo.tsx'
import type { EnvironmentEntry, NavigationGroup } from './navigation.ts'
import { Providers } from './providers.tsx'
import { ShortcutsHelp } from './shortcuts-help.tsx'
import { SideBar } from './side-bar.tsx'
import { useShortcuts } from './use-shortcuts.ts'
import { type ShellUser, UserMenu } from './user-menu.tsx'
import { ZoneMenu } from './zone-menu.tsx'

const loadPalette = () => import('./command-palette.tsx').then(({ CommandPalette }) => ({ default: CommandPalette }))
const CommandPalette = lazy(loadPalette)

export type AppShellProps = {
  environment: Environment
  environments: readonly EnvironmentEntry[]
  groups: readonly NavigationGroup[]
  user: ShellUser
  /** A server action that ends the session. */
  signOut: (formData: FormData) => void | Promise<void>
  /** What the server read of the request's cookies. */
  preferences: Preferences
  /** The service's health, in a word with a dot. */
  health?: ReactNode
  /** Entries of the palette beside the pages of the navigation, which it offers by itself. */
  commands?: readonly Command[]
  search?: CommandSearch
  searchHint?: string
  homeHref: string
  children: ReactNode
}

/** The frame of every console page: band, side bar (a drawer on small screens), top bar, page. */
export function AppShell({ preferences, ...props }: AppShellProps) {
  return (
    <Providers preferences={preferences}>
      <Frame {...props} />
    </Providers>
  )
}

function Frame({
  environment,
  environments,
  groups,
  user,
  signOut,
  health,
  commands = [],
  search,
  searchHint = 'Search or jump to',
  homeHref,
  children,
}: Omit<AppShellProps, 'preferences'>) {
  const [isDrawerOpen, setIsDrawerOpen] = useState(false)
  const [isHelpOpen, setIsHelpOpen] = useState(false)
  const [isPaletteOpen, setIsPaletteOpen] = useState(false)
  const [hasPalette, setHasPalette] = useState(false)
  const openPalette = () => {
    setHasPalette(true)
    setIsPaletteOpen(true)
  }
  useShortcuts({ onPalette: openPalette, onHelp: () => setIsHelpOpen(true) })
  useEffect(() => {
    const preload = () => {
      preloadDialog()
      loadPalette().catch(() => {})
    }
    const events = ['pointermove', 'keydown', 'touchstart'] as const
    for (const event of events) window.addEventListener(event, preload, { once: true, passive: true })
    return () => {
      for (const event of events) window.removeEventListener(event, preload)
    }
  }, [])

  const side = (onGo?: () => void) => (
    <SideBar
      groups={groups}
      {...(onGo ? { onGo } : {})}
      head={
        <>
          <Link href={homeHref} className="inline-flex rounded-control" {...(onGo ? { onClick: onGo } : {})}>
            <Logo />
          </Link>
          <EnvironmentSwitch environment={environment} entries={environments} />
        </>
      }
      foot={<UserMenu user={user} signOut={signOut} onShortcuts={() => setIsHelpOpen(true)} />}
    />
  )

  return (
    <div data-environment={environment} className="group/shell min-h-dvh shell-sizes">
      <SkipLink />
      <EnvironmentBand environment={environment} />
      <aside className="fixed top-(--band-height) bottom-0 left-0 z-20 hidden w-(--side-width) border-r bg-canvas lg:block">
        {side()}
      </aside>
      <div className="pt-(--band-height) lg:pl-(--side-width)">
        <header className="sticky top-(--band-height) z-20 flex h-(--header-height) items-center gap-2 border-b bg-canvas px-3 sm:gap-3 lg:px-6">
          <IconButton
            label="Open navigation"
            icon={<MenuIcon />}
            className="lg:hidden"
            aria-haspopup="dialog"
            onClick={() => setIsDrawerOpen(true)}
          />
          <div className="ml-auto flex items-center gap-2 sm:gap-3">
            <button
              type="button"
              aria-haspopup="dialog"
              aria-keyshortcuts="Control+K Meta+K"
              onClick={openPalette}
              className="flex h-8 items-center gap-2 rounded-control border bg-surface px-2.5 text-faint shadow-control transition-colors hover:text-ink max-md:w-8 max-md:justify-center max-md:px-0 md:w-56 xl:w-72"
            >
              <Search aria-hidden="true" className="size-4 shrink-0" />
              <span className="min-w-0 flex-1 truncate text-left max-md:sr-only">{searchHint}</span>
              <KeyboardShortcut keys={['Ctrl', 'K']} className="max-md:hidden" />
            </button>
            {health}
            <ZoneMenu />
          </div>
        </header>
        <main id="main" tabIndex={-1} className="mx-auto max-w-[100rem] px-3 py-5 outline-none sm:px-4 lg:px-6 lg:py-6">
          {children}
        </main>
      </div>
      <Dialog kind="drawer-start" isOpen={isDrawerOpen} onOpenChange={setIsDrawerOpen} title="Navigation" isTitleHidden>
        {side(() => setIsDrawerOpen(false))}
      </Dialog>
      <ShortcutsHelp isOpen={isHelpOpen} onOpenChange={setIsHelpOpen} />
      {hasPalette && (
        <Suspense fallback={null}>
          <CommandPalette
            isOpen={isPaletteOpen}
            onOpenChange={setIsPaletteOpen}
            groups={groups}
            commands={commands}
            search={search}
          />
        </Suspense>
      )}
    </div>
  )
}
