'use client'

import { ChevronsUpDown, Keyboard, LogOut, Monitor, Moon, Sun } from 'lucide-react'
import { Menu } from '#components/ui/menu.tsx'
import { usePreferences } from '#components/ui/preferences-provider.tsx'
import type { Command } from './commands.tsx'
import type { NavigationItem } from './side-bar.tsx'

export type ShellUser = { name: string; role: string }

function initials(name: string): string {
  const terms = name.trim().split(/\s+/)
  return [terms[0], terms.length > 1 ? terms.at(-1) : undefined]
    .map((term = '') => [...term][0] ?? '')
    .join('')
    .toUpperCase()
}

/** Who is signed in and with which role; what they set up, the theme, the shortcuts, and the way out. */
export function UserMenu({
  user,
  pages,
  onShortcuts,
  onSignOut,
}: { user: ShellUser; pages: readonly NavigationItem[] } & ScreenActions) {
  const { theme, chooseTheme } = usePreferences()
  return (
    <Menu
      label="You and this screen"
      align="start"
      variant="quiet"
      triggerClassName="h-auto! w-full justify-start px-2! py-1.5 text-ink!"
      className="w-52"
      trigger={
        <>
          <span
            aria-hidden="true"
            className="flex size-7 shrink-0 items-center justify-center rounded-full bg-info-wash text-2xs font-semibold text-info"
          >
            {initials(user.name)}
          </span>
          <span className="min-w-0 flex-1 text-left">
            <span className="block truncate leading-4">{user.name}</span>
            <span className="block truncate text-2xs/4 font-normal text-faint">{user.role}</span>
          </span>
          <ChevronsUpDown aria-hidden="true" className="text-faint" />
        </>
      }
      items={[
        ...pages.map(({ href, label, icon }) => ({ kind: 'link' as const, label, href, icon })),
        { kind: 'separator' },
        { kind: 'heading', label: 'Theme' },
        {
          kind: 'choice',
          label: 'System',
          icon: <Monitor />,
          isChosen: theme === 'system',
          onSelect: () => chooseTheme('system'),
        },
        {
          kind: 'choice',
          label: 'Light',
          icon: <Sun />,
          isChosen: theme === 'light',
          onSelect: () => chooseTheme('light'),
        },
        {
          kind: 'choice',
          label: 'Dark',
          icon: <Moon />,
          isChosen: theme === 'dark',
          onSelect: () => chooseTheme('dark'),
        },
        { kind: 'separator' },
        { kind: 'action', label: 'Keyboard shortcuts', icon: <Keyboard />, hint: '?', onSelect: onShortcuts },
        { kind: 'action', label: 'Sign out', icon: <LogOut />, onSelect: onSignOut },
      ]}
    />
  )
}

export type ScreenActions = { onShortcuts: () => void; onSignOut: () => void }

/** Commands of the user's menu, for the palette. */
export function useScreenCommands({ onShortcuts, onSignOut }: ScreenActions): Command[] {
  const { chooseTheme } = usePreferences()
  const group = 'This screen'
  return [
    {
      id: 'theme-system',
      label: 'Theme as the system',
      icon: <Monitor />,
      group,
      onSelect: () => chooseTheme('system'),
    },
    { id: 'theme-light', label: 'Light theme', icon: <Sun />, group, onSelect: () => chooseTheme('light') },
    { id: 'theme-dark', label: 'Dark theme', icon: <Moon />, group, onSelect: () => chooseTheme('dark') },
    { id: 'shortcuts', label: 'Keyboard shortcuts', icon: <Keyboard />, group, onSelect: onShortcuts },
    { id: 'sign-out', label: 'Sign out', icon: <LogOut />, group, onSelect: onSignOut },
  ]
}
