'use client'

import { ChevronDown } from 'lucide-react'
import { usePermissions } from '#components/environment/use-permissions.ts'
import { type ButtonVariant } from '#components/ui/button-style.ts'
import { Button } from '#components/ui/button.tsx'
import { Menu, type MenuItem } from '#components/ui/menu.tsx'
import { type CardActionUi, type CardDeed, type OfferedDeed, permissionsLoading } from './card-action-table.ts'

const variants: Record<CardActionUi['tone'], ButtonVariant> = {
  accent: 'primary',
  neutral: 'secondary',
  bad: 'danger-quiet',
}

/** The order in which they are wanted: stop or start the card, its PIN, its loss, then what is rare. */
const order: readonly CardDeed[] = [
  'lock',
  'unlock',
  'unsuspend',
  'activate',
  'change-pin',
  'lost',
  'suspend',
  'replace',
  'cancel',
]

/** How many possible actions are buttons; the rest is in the menu. */
const shown = 3

/** The actions of a card: those that are most likely now as buttons, the others under "More", with why they are not possible. */
export function CardActionButtons({ actions }: { actions: readonly OfferedDeed[] }) {
  const { denied } = usePermissions()
  const entries = order.flatMap((name) => actions.filter(({ action }) => action === name))
  // While the permissions load, what the status allows keeps its place.
  const possible = entries.filter(({ unavailable }) => unavailable === undefined || unavailable === permissionsLoading)
  const buttons = possible.slice(0, shown)
  const rest = entries.filter((entry) => !buttons.includes(entry))
  return (
    <fieldset className="flex flex-wrap gap-2">
      <legend className="sr-only">Actions on this card</legend>
      {buttons.map(({ label, icon: Icon, tone, unavailable, open }, place) => (
        <Button
          // The focus stays where it was pressed: Unlock takes the place of Lock.
          key={place}
          variant={variants[tone]}
          icon={<Icon aria-hidden="true" />}
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
        items={toMenuItems(rest, denied('cards.cancel'))}
      />
    </fieldset>
  )
}

/** The possible ones first; what only another role can do shares `role` as its heading. */
function toMenuItems(rest: readonly OfferedDeed[], role: string | undefined): MenuItem[] {
  const item = ({ label, icon: Icon, tone, unavailable, open }: OfferedDeed, isReasonShown = true): MenuItem => ({
    kind: 'action',
    label,
    icon: <Icon aria-hidden="true" />,
    onSelect: open,
    ...(tone === 'bad' ? { tone } : {}),
    unavailable: unavailable === undefined || isReasonShown ? unavailable : '',
  })
  const possible = rest.filter(({ unavailable }) => unavailable === undefined)
  const refused = rest.filter(({ unavailable }) => unavailable !== undefined)
  const byRole = refused.filter(({ unavailable }) => unavailable === role)
  const others = refused.filter(({ unavailable }) => unavailable !== role)
  return [
    ...possible.map((entry) => item(entry)),
    ...(possible.length > 0 && refused.length > 0 ? [{ kind: 'separator' as const }] : []),
    ...others.map((entry) => item(entry)),
    ...(role !== undefined && byRole.length > 0 ? [{ kind: 'heading' as const, label: role }] : []),
    ...byRole.map((entry) => item(entry, false)),
  ]
}
