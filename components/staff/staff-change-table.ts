import type { StaffChange, StaffEntry } from '#lib/console/desk/shapes.ts'

type ChangeRow = {
  /** In the menu and on the button. */
  label: string
  title: (name: string) => string
  consequence: string
  done: string
  tone?: 'bad'
  /** Whether it is offered for this person. */
  isOffered: (entry: StaffEntry) => boolean
  cancelLabel?: string
}

/** What an admin can change of a person, in the order of the menu. */
export const staffChangeTable: Record<StaffChange, ChangeRow> = {
  'staff.set-role': {
    label: 'Change role',
    title: (name) => `Change the role of ${name}?`,
    consequence: 'It counts from the next request.',
    done: 'Role changed',
    isOffered: ({ state }) => state !== 'disabled',
  },
  'staff.sign-out': {
    label: 'End sessions',
    title: (name) => `End all sessions of ${name}?`,
    consequence: 'The next request is signed out. Unsaved work on open pages stays there.',
    done: 'Sessions ended',
    isOffered: ({ openSessions }) => openSessions > 0,
  },
  'staff.remove-passkeys': {
    label: 'Remove passkeys',
    title: (name) => `Remove all passkeys of ${name}?`,
    consequence: 'For people who lost theirs. Sessions end; a new passkey can be added after the next sign-in.',
    done: 'Passkeys removed',
    tone: 'bad',
    isOffered: ({ passkeys }) => passkeys > 0,
    cancelLabel: 'Keep passkeys',
  },
  'staff.enable': {
    label: 'Enable access',
    title: (name) => `Enable the access of ${name}?`,
    consequence: 'The person can sign in again with the same role.',
    done: 'Access enabled',
    isOffered: ({ state }) => state === 'disabled',
  },
  'staff.disable': {
    label: 'Disable access',
    title: (name) => `Disable the access of ${name}?`,
    consequence: 'All sessions end immediately, and the person can’t sign in.',
    done: 'Access disabled',
    tone: 'bad',
    isOffered: ({ state }) => state !== 'disabled',
    cancelLabel: 'Keep access',
  },
}
