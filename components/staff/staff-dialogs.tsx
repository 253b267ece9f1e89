'use client'

import { useState } from 'react'
import { useEnvironment } from '#components/environment/use-environment.ts'
import { FormDialog } from '#components/form/form-dialog.tsx'
import { tableOptions } from '#components/form/options.ts'
import { SelectField } from '#components/form/select-field.tsx'
import { TextField } from '#components/form/text-field.tsx'
import { ActionDialog } from '#components/operations/action-dialog.tsx'
import { OutcomeCallout } from '#components/operations/outcome-text.tsx'
import { useAction } from '#components/operations/use-action.ts'
import { type DialogProps } from '#components/ui/dialog.tsx'
import { showToast } from '#components/ui/toasts.tsx'
import { type Role, roleNames, roleSummary } from '#lib/auth/permissions.ts'
import type { StaffChange, StaffEntry } from '#lib/console/staff/types.ts'

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

/** Changes of a person that an admin can make, in the order of the menu. */
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

/** Asks before a change of one person's access. */
export function StaffChangeDialog({ act, entry, ...dialog }: DialogProps & { act: StaffChange; entry: StaffEntry }) {
  const [role, setRole] = useState<Role>(entry.role)
  const { label, title, consequence, done, tone, cancelLabel } = staffChangeTable[act]
  const isRole = act === 'staff.set-role'
  return (
    <ActionDialog
      {...dialog}
      action="changeStaffAccess"
      input={{ act, staffId: entry.id, ...(isRole ? { role } : {}) }}
      done={done}
      confirmationLevel={tone === 'bad' ? 'moderate' : 'light'}
      title={title(entry.name)}
      consequence={consequence}
      confirmLabel={label}
      note="Saved in the audit log"
      cancelLabel={cancelLabel}
      unavailable={isRole && role === entry.role ? 'Choose another role first.' : undefined}
    >
      {(errors) => isRole && <RoleField role={role} onRole={setRole} error={errors.role} />}
    </ActionDialog>
  )
}

/** Gives an e-mail address a role before its first sign-in. */
export function InviteDialog(dialog: DialogProps) {
  const { isPending, problem, errors, onChange, run } = useAction()
  const environment = useEnvironment()
  const [role, setRole] = useState<Role>('viewer')

  async function invite(form: FormData) {
    if (!(await run('inviteToDesk', { email: String(form.get('email') ?? '').trim(), role }))) return
    showToast({ environment, tone: 'good', title: 'Person invited' })
    dialog.onClose()
  }

  return (
    <FormDialog
      {...dialog}
      title="Invite a person?"
      description="They sign in with your company account. No e-mail is sent."
      submitLabel="Invite person"
      isPending={isPending}
      onChange={onChange}
      onSubmit={(form) => void invite(form)}
    >
      {problem && <OutcomeCallout outcome={problem} />}
      <TextField
        label="E-mail address"
        name="email"
        type="email"
        maxLength={200}
        hint="As your identity provider has it, verified"
        error={errors.email}
      />
      <RoleField role={role} onRole={setRole} error={errors.role} />
    </FormDialog>
  )
}

function RoleField({ role, onRole, error }: { role: Role; onRole: (role: Role) => void; error?: string | undefined }) {
  return (
    <SelectField
      name="role"
      label="Role"
      value={role}
      onChange={(event) => onRole(event.target.value as Role)}
      options={tableOptions(roleNames)}
      hint={roleSummary(role)}
      error={error}
    />
  )
}
