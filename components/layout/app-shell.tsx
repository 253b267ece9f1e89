'use client'

import { Menu as MenuIcon, Clock } from 'lucide-react'
import { NuqsAdapter } from 'nuqs/adapters/next/app'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Dialog } from '#components/ui/dialog.tsx'
import { IconButton } from '#components/ui/icon-button.tsx'
import { keepFocus } from '#components/ui/keep-focus.ts'
import { KeyboardShortcut } from '#components/ui/keyboard-shortcut.tsx'
import { Link } from '#components/ui/link.tsx'
import { Menu } from '#components/ui/menu.tsx'
import { PreferencesProvider, usePreferences } from '#components/ui/preferences-provider.tsx'
import type { Preferences } from '#components/ui/preferences.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { type CommandSearch, type LoadCommands, OfferedCommandsProvider } from './commands.tsx'
import { EnvironmentBand, EnvironmentSwitch } from './environment-switch.tsx'
import { LeaveWarning } from './leave-warning.tsx'
import { Logo } from './logo.tsx'
import { isHelpKey, PaletteControl, useShortcut } from './palette-control.tsx'
import { AreaTabs, type EnvironmentEntry, type NavigationArea, type NavigationItem, SideBar } from './side-bar.tsx'
import { SignOutForm } from './sign-out-form.tsx'
import { type ShellUser, UserMenu } from './user-menu.tsx'

const shortcuts: { keys: string[]; what: string }[] = [
  { keys: ['Ctrl', 'K'], what: 'Find anything, do anything: a name, or “lock 4821” (Cmd K on a Mac)' },
  { keys: ['/'], what: 'Search in the list; on other pages, find anything' },
  { keys: ['j'], what: 'Next row' },
  { keys: ['k'], what: 'Previous row' },
  { keys: ['x'], what: 'Choose the row (Shift-click: a range)' },
  { keys: ['Enter'], what: 'Open the row' },
  { keys: ['Esc'], what: 'Close what is open' },
  { keys: ['?'], what: 'This help' },
]

function ShortcutsHelp({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Keyboard shortcuts" size="small">
      <dl className="divide-y">
        {shortcuts.map(({ keys, what }) => (
          <div key={what} className="flex items-center justify-between gap-4 py-2">
            <dt className="text-soft">{what}</dt>
            <dd className="shrink-0">
              <KeyboardShortcut keys={keys} />
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}

export type AppShellProps = {
  environment: Environment
  environments: readonly EnvironmentEntry[]
  /** The navigation. */
  areas: readonly NavigationArea[]
  /** Every page that the person may open, for the palette. */
  pages: readonly NavigationItem[]
  /** Pages in the menu of the person. */
  settings: readonly NavigationItem[]
  /** Commands that every page offers, for the palette. */
  tasks: readonly NavigationItem[]
  /** Loads the filtered lists that the palette offers. */
  loadShortcuts?: LoadCommands
  user: ShellUser
  /** Preferences from the request's cookies. */
  preferences: Preferences
  /** The console's own server doesn't answer. */
  isServerAway: boolean
  /** The service's status with a dot. */
  health?: ReactNode
  search?: CommandSearch
  homeHref: string
  children: ReactNode
}

/** The frame of every console page: band, side bar (a drawer on small screens), top bar, page. */
export function AppShell({ preferences, ...props }: AppShellProps) {
  useEffect(keepFocus, [])
  return (
    <NuqsAdapter>
      <PreferencesProvider preferences={preferences}>
        <OfferedCommandsProvider>
          <Frame {...props} />
        </OfferedCommandsProvider>
      </PreferencesProvider>
    </NuqsAdapter>
  )
}

function Frame({
  environment,
  environments,
  areas,
  pages,
  settings,
  tasks,
  loadShortcuts,
  user,
  isServerAway,
  health,
  search,
  homeHref,
  children,
}: Omit<AppShellProps, 'preferences'>) {
  const [isDrawerOpen, setIsDrawerOpen] = useState(false)
  const [isHelpOpen, setIsHelpOpen] = useState(false)
  const signOutForm = useRef<HTMLFormElement>(null)
  const onShortcuts = () => setIsHelpOpen(true)
  const onSignOut = () => signOutForm.current?.requestSubmit()
  useShortcut(isHelpKey, onShortcuts)

  const side = (onGo?: () => void) => (
    <SideBar
      areas={areas}
      onGo={onGo}
      head={
        <>
          <Link href={homeHref} className="inline-flex rounded-control" onClick={onGo}>
            <Logo />
          </Link>
          <EnvironmentSwitch environment={environment} entries={environments} />
        </>
      }
      foot={<UserMenu user={user} pages={settings} onShortcuts={onShortcuts} onSignOut={onSignOut} />}
    />
  )

  return (
    <div data-environment={environment} className="group/shell min-h-dvh shell-sizes">
      <SkipLink />
      <div className="print:hidden">
        <EnvironmentBand environment={environment} />
      </div>
      <aside className="fixed top-(--band-height) bottom-0 left-0 z-20 hidden w-(--side-width) border-r bg-canvas lg:block print:hidden">
        {side()}
      </aside>
      <div className="pt-(--band-height) lg:pl-(--side-width) print:p-0">
        <header className="sticky top-(--band-height) z-20 flex h-(--header-height) items-center gap-2 border-b bg-canvas px-3 sm:gap-3 lg:px-6 print:hidden">
          <IconButton
            label="Open navigation"
            icon={<MenuIcon />}
            className="lg:hidden"
            aria-haspopup="dialog"
            onClick={() => setIsDrawerOpen(true)}
          />
          <div className="ml-auto flex items-center gap-2 sm:gap-3">
            <PaletteControl {...{ pages, tasks, loadShortcuts, search, onShortcuts, onSignOut }} />
            {health}
            <ZoneMenu />
          </div>
        </header>
        <main
          id="main"
          tabIndex={-1}
          className="mx-auto max-w-[100rem] px-3 py-5 outline-none sm:px-4 lg:px-6 lg:py-6 print:max-w-none print:p-0"
        >
          <AreaTabs areas={areas} />
          {children}
        </main>
      </div>
      <Dialog
        kind="drawer-start"
        isOpen={isDrawerOpen}
        onClose={() => setIsDrawerOpen(false)}
        title="Navigation"
        isTitleHidden
      >
        {side(() => setIsDrawerOpen(false))}
      </Dialog>
      <LeaveWarning isServerAway={isServerAway} />
      <SignOutForm ref={signOutForm} />
      <ShortcutsHelp isOpen={isHelpOpen} onClose={() => setIsHelpOpen(false)} />
    </div>
  )
}

/** The one zone of the page, labelled once, here. */
function ZoneMenu() {
  const { zone, chooseZone } = usePreferences()
  return (
    <Menu
      label="Time zone"
      trigger={
        <>
          <Clock aria-hidden="true" className="text-faint max-sm:hidden" />
          <span className="sr-only">Time zone: </span>
          <span className="max-w-28 truncate text-xs font-normal">{zone.label}</span>
        </>
      }
      items={[
        {
          kind: 'choice',
          label: 'HKT',
          hint: 'Hong Kong',
          isChosen: zone.choice === 'hkt',
          onSelect: () => chooseZone('hkt'),
        },
        { kind: 'choice', label: 'UTC', isChosen: zone.choice === 'utc', onSelect: () => chooseZone('utc') },
        {
          kind: 'choice',
          label: 'Local',
          hint: 'this computer',
          isChosen: zone.choice === 'local',
          onSelect: () => chooseZone('local'),
        },
      ]}
    />
  )
}

/** The first focusable link of the page: it skips the navigation. */
function SkipLink() {
  return (
    <a
      href="#main"
      className="fixed top-2 left-2 z-60 -translate-y-16 rounded-control bg-accent px-3 py-1.5 font-medium text-on-accent focus:translate-y-0"
    >
      Skip to the page
    </a>
  )
}
