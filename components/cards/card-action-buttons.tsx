'use client'

import { ChevronDown, RefreshCw, ShieldAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { type ButtonVariant } from '#components/ui/button-style.ts'
import { Button } from '#components/ui/button.tsx'
import { Menu, type MenuItem } from '#components/ui/menu.tsx'
import { onlyRoles } from '#lib/auth/permissions.ts'
import type { CardAction } from '#lib/contract/card-actions.ts'
import { type CardActionUi, permissionsLoading } from './card-action-table.ts'
import type { useReplaceCard } from './issue-card-button.tsx'
import type { OfferedAction } from './use-card-actions.tsx'

const variants: Record<CardActionUi['tone'], ButtonVariant> = {
  accent: 'primary',
  neutral: 'secondary',
  bad: 'danger-quiet',
}

type Entry = {
  id: string
  label: string
  icon: ReactNode
  tone: CardActionUi['tone']
  unavailable: string | undefined
  open: () => void
}

/** How many possible actions are buttons; the rest is in the menu. */
const shown = 3

/** The actions of a card: those that are most likely now as buttons, the others under "More", with why they are not possible. */
export function CardActionButtons({
  actions,
  replacing,
}: {
  actions: readonly OfferedAction[]
  replacing: ReturnType<typeof useReplaceCard>
}) {
  const entries = listEntries(actions, replacing)
  // While the permissions load, what the status allows keeps its place.
  const possible = entries.filter(({ unavailable }) => unavailable === undefined || unavailable === permissionsLoading)
  const buttons = possible.slice(0, shown)
  const rest = entries.filter((entry) => !buttons.includes(entry))
  return (
    <fieldset className="flex flex-wrap gap-2">
      <legend className="sr-only">Actions on this card</legend>
      {buttons.map(({ label, icon, tone, unavailable, open }, place) => (
        <Button
          // The focus stays where it was pressed: Unlock takes the place of Lock.
          key={place}
          variant={variants[tone]}
          icon={icon}
          unavailable={unavailable}
          reason="described"
          title={unavailable}
          aria-haspopup="dialog"
          onClick={open}
        >
          {label}
        </Button>
      ))}
      <Menu
        label="More"
        align="start"
        trigger={
          <>
            More
            <ChevronDown aria-hidden="true" />
          </>
        }
        items={toMenuItems(rest)}
      />
    </fieldset>
  )
}

/** In the order in which they are wanted: stop or start the card, its PIN, its loss, then what is rare. */
function listEntries(actions: readonly OfferedAction[], replacing: ReturnType<typeof useReplaceCard>): Entry[] {
  const own = (name: CardAction): Entry[] =>
    actions
      .filter(({ action }) => action === name)
      .map(({ label, row, unavailable, open }) => {
        const Icon = row.icon
        return {
          id: name,
          label,
          icon: <Icon aria-hidden="true" />,
          tone: row.tone,
          unavailable,
          open,
        }
      })
  const { unavailable } = replacing
  const cancelling = actions.find(({ action }) => action === 'cancel')?.unavailable
  const isCancelled = cancelling !== undefined && unavailable === undefined
  return [
    ...own('lock'),
    ...own('unlock'),
    ...own('unsuspend'),
    ...own('activate'),
    ...own('change-pin'),
    {
      id: 'lost',
      label: 'Lost or stolen',
      icon: <ShieldAlert aria-hidden="true" />,
      tone: 'bad',
      unavailable: unavailable ?? (isCancelled ? cancelling : undefined),
      open: replacing.openLost,
    },
    ...own('suspend'),
    {
      id: 'replace',
      label: 'Replace card',
      icon: <RefreshCw aria-hidden="true" />,
      tone: 'neutral',
      unavailable,
      open: replacing.openReplace,
    },
    ...own('cancel'),
  ]
}

/** The possible ones first; what only another role can do shares one heading. */
function toMenuItems(rest: readonly Entry[]): MenuItem[] {
  const item = ({ label, icon, tone, unavailable, open }: Entry, isReasonShown = true): MenuItem => ({
    kind: 'action',
    label,
    icon,
    onSelect: open,
    ...(tone === 'bad' ? { tone } : {}),
    unavailable: unavailable === undefined || isReasonShown ? unavailable : '',
  })
  const possible = rest.filter(({ unavailable }) => unavailable === undefined)
  const refused = rest.filter(({ unavailable }) => unavailable !== undefined)
  const role = onlyRoles('cards.cancel')
  const byRole = refused.filter(({ unavailable }) => unavailable === role)
  const others = refused.filter(({ unavailable }) => unavailable !== role)
  return [
    ...possible.map((entry) => item(entry)),
    ...(possible.length > 0 && refused.length > 0 ? [{ kind: 'separator' as const }] : []),
    ...others.map((entry) => item(entry)),
    ...(byRole.length > 0 ? [{ kind: 'heading' as const, label: role }] : []),
    ...byRole.map((entry) => item(entry, false)),
  ]
}
