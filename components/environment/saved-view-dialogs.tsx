'use client'

import { Star, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Checkbox } from '#components/form/checkbox.tsx'
import { FormDialog } from '#components/form/form-dialog.tsx'
import { TextField } from '#components/form/text-field.tsx'
import { failureText } from '#components/operations/outcome-text.tsx'
import { useAction } from '#components/operations/use-action.ts'
import { Button } from '#components/ui/button.tsx'
import { Dialog, type DialogProps } from '#components/ui/dialog.tsx'
import { IconButton } from '#components/ui/icon-button.tsx'
import { showToast } from '#components/ui/toasts.tsx'
import { longestViewName } from '#lib/api/saved-views.ts'
import type { ReadResult } from '#lib/queries/reads.ts'

export type SavedView = ReadResult<'listSavedViews'>['views'][number]

/** An action on the views. `problem` is a sentence, null where it was done. */
function useViewAction() {
  const { problem, errors, ...action } = useAction()
  const issue = errors.name ? `The name ${errors.name}.` : 'This view can’t be saved. Clear its filters first.'
  return { ...action, problem: problem ? failureText(problem) : Object.keys(errors).length > 0 ? issue : null }
}

export function SaveViewDialog({
  view,
  ...dialog
}: DialogProps & { view: Pick<SavedView, 'list' | 'query' | 'columns'> }) {
  const { isPending, problem, onChange, run } = useViewAction()
  // The same view under a second press after a lost response.
  const [viewId] = useState(() => crypto.randomUUID())
  async function save(form: FormData) {
    const name = String(form.get('name') ?? '').trim()
    const isDefault = form.get('isDefault') !== null
    if (!(await run('saveView', { viewId, name, isDefault, ...view }))) return
    dialog.onClose()
    showToast({ tone: 'good', title: `View “${name}” saved` })
  }
  return (
    <FormDialog
      {...dialog}
      size="small"
      title="Save this view?"
      description="Its filters, sort and columns, for you alone."
      submitLabel="Save view"
      isPending={isPending}
      onChange={onChange}
      onSubmit={(form) => void save(form)}
    >
      <TextField label="Name" name="name" maxLength={longestViewName} error={problem} />
      <Checkbox name="isDefault" label="Open this list with it" />
    </FormDialog>
  )
}

export function ManageViewsDialog({ views, ...dialog }: DialogProps & { views: readonly SavedView[] }) {
  return (
    <Dialog {...dialog} title="Manage views" footer={<Button onClick={dialog.onClose}>Done</Button>}>
      {views.length === 0 ? (
        <p className="text-soft">No saved views.</p>
      ) : (
        <ul className="grid gap-3">
          {views.map((view) => (
            <ViewRow key={view.id} view={view} />
          ))}
        </ul>
      )}
    </Dialog>
  )
}

/** A view's name, saved when the field is left, and what else can be done to it. */
function ViewRow({ view }: { view: SavedView }) {
  const { id: viewId, name, isDefault } = view
  /** Null until it is changed here: another tab may rename the view meanwhile. */
  const [text, setText] = useState<string | null>(null)
  const { isPending, problem, run } = useViewAction()
  async function rename() {
    if (text === null || isPending) return
    if (text.trim() === name || (await run('changeView', { viewId, name: text })))
      setText((current) => (current === text ? null : current))
  }
  async function remove() {
    if (!(await run('deleteView', { viewId }))) return
    const { id: _id, ...kept } = view
    const restore = async () => {
      if (!(await run('saveView', { viewId, ...kept })))
        showToast({ tone: 'bad', title: `View “${name}” not restored` })
    }
    showToast({
      tone: 'good',
      title: `View “${name}” deleted`,
      action: { label: 'Undo', onPress: () => void restore() },
    })
  }
  return (
    <li className="flex items-start gap-1.5">
      <TextField
        label={`Name of ${name}`}
        isLabelHidden
        className="flex-1"
        maxLength={longestViewName}
        value={text ?? name}
        error={problem}
        onChange={(event) => setText(event.target.value)}
        onBlur={() => void rename()}
        onKeyDown={(event) => {
          if (event.key === 'Enter') void rename()
        }}
      />
      <IconButton
        label={isDefault ? `Don’t open the list with ${name}` : `Open the list with ${name}`}
        icon={<Star className={isDefault ? 'fill-accent text-accent' : undefined} />}
        aria-pressed={isDefault}
        className="mt-0.5"
        onClick={() => void run('changeView', { viewId, isDefault: !isDefault })}
      />
      <IconButton label={`Delete ${name}`} icon={<Trash2 />} className="mt-0.5" onClick={() => void remove()} />
    </li>
  )
}
