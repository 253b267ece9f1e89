'use client'

import { Keyboard, LogOut, Monitor, Moon, Sun } from 'lucide-react'
import { usePreferences } from '#components/ui/preferences-provider.tsx'
import type { Command } from './command.ts'

export type ScreenActions = { onShortcuts: () => void; onSignOut: () => void }

/** What the menu of the person at the screen offers, for the palette. */
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
