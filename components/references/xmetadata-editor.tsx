'use client'

import { Plus, Trash2 } from 'lucide-react'
import { useRef } from 'react'
import { SelectField } from '#components/form/select-field.tsx'
import { TextArea } from '#components/form/text-area.tsx'
import { TextField } from '#components/form/text-field.tsx'
import { Button } from '#components/ui/button.tsx'
import { IconButton } from '#components/ui/icon-button.tsx'
import {
  type DraftErrors,
  type DraftKind,
  type DraftRow,
  type DraftShape,
  newRow,
  newText,
  withKind,
  withShape,
  type XmetadataDraft,
} from './xmetadata-draft.ts'

const shapes: { value: DraftShape; label: string }[] = [
  { value: 'object', label: 'Keys and values' },
  { value: 'text', label: 'One text' },
  { value: 'list', label: 'A list of texts' },
  { value: 'json', label: 'The JSON itself' },
]

const kinds: { value: DraftKind; label: string }[] = [
  { value: 'text', label: 'Text' },
  { value: 'number', label: 'Number' },
  { value: 'boolean', label: 'True/false' },
  { value: 'json', label: 'JSON' },
]
const truths = ['true', 'false'].map((value) => ({ value, label: value }))

type Props = { draft: XmetadataDraft; errors: DraftErrors; onChange: (draft: XmetadataDraft) => void }

/** Metadata in the form that suits it: rows, a text, a list of texts, or JSON. */
export function XmetadataEditor({
  draft,
  errors,
  onChange,
  onRefused,
}: Props & {
  /** Entries that do not fit another editor: their issues. */
  onRefused: (errors: DraftErrors) => void
}) {
  const Form = forms[draft.shape]
  return (
    <>
      <SelectField
        label="Metadata as"
        options={shapes}
        value={draft.shape}
        onChange={(event) => {
          const next = withShape(draft, event.target.value as DraftShape)
          if (next.ok) onChange(next.value)
          else onRefused(next.error)
        }}
      />
      <Form draft={draft} errors={errors} onChange={onChange} />
      {errors.xmetadata && (
        <p role="alert" className="text-xs text-bad">
          {errors.xmetadata}
        </p>
      )}
    </>
  )
}

const forms: Record<DraftShape, (props: Props) => React.ReactNode> = {
  object: ObjectForm,
  text: ({ draft, errors, onChange }) => (
    <TextArea
      label="Text"
      value={draft.text}
      error={errors.text}
      onChange={(event) => onChange({ ...draft, text: event.target.value })}
    />
  ),
  list: ListForm,
  json: ({ draft, errors, onChange }) => (
    <TextArea
      label="JSON"
      isMono
      spellCheck={false}
      rows={6}
      value={draft.json}
      error={errors.json}
      hint="An object, a text in double quotes, or a list of such texts."
      onChange={(event) => onChange({ ...draft, json: event.target.value })}
    />
  ),
}

/** Goes to the field of a new line, once it is there. */
function useNewField() {
  const region = useRef<HTMLDivElement>(null)
  const focusLast = () =>
    requestAnimationFrame(() => {
      const lines = region.current?.querySelectorAll<HTMLElement>(
        '[data-first-field] input, [data-first-field] textarea',
      )
      lines?.[lines.length - 1]?.focus()
    })
  const focusAdd = () => requestAnimationFrame(() => region.current?.querySelector<HTMLElement>('[data-add]')?.focus())
  return { region, focusLast, focusAdd }
}

function ObjectForm({ draft, errors, onChange }: Props) {
  const { region, focusLast, focusAdd } = useNewField()
  const change = (changed: DraftRow) =>
    onChange({ ...draft, rows: draft.rows.map((row) => (row.id === changed.id ? changed : row)) })
  return (
    <div ref={region} className="grid min-w-0 gap-2">
      {draft.rows.length === 0 && <p className="text-xs text-faint">No keys: an empty object.</p>}
      <ul className="grid min-w-0 gap-3 sm:gap-2">
        {draft.rows.map((row, index) => (
          <li
            key={row.id}
            className="grid min-w-0 grid-cols-[minmax(0,1fr)_auto] gap-x-2 gap-y-1 max-sm:border-b max-sm:pb-3 sm:grid-cols-[minmax(0,3fr)_7.5rem_minmax(0,4fr)_auto] sm:items-start"
          >
            <div data-first-field className="min-w-0 max-sm:col-span-2">
              <TextField
                label={`Key ${index + 1}`}
                isLabelHidden
                placeholder="key"
                isMono
                spellCheck={false}
                value={row.key}
                error={errors[`row-${row.id}-key`]}
                onChange={(event) => change({ ...row, key: event.target.value })}
              />
            </div>
            <SelectField
              label={`Kind of value ${index + 1}`}
              isLabelHidden
              className="max-sm:col-span-2"
              options={kinds}
              value={row.kind}
              onChange={(event) => change(withKind(row, event.target.value as DraftKind))}
            />
            <ValueField
              label={`Value ${index + 1}`}
              row={row}
              error={errors[`row-${row.id}-value`]}
              onChange={(value) => change({ ...row, value })}
            />
            <IconButton
              label={row.key === '' ? `Remove row ${index + 1}` : `Remove ${row.key}`}
              icon={<Trash2 aria-hidden="true" />}
              onClick={() => {
                onChange({ ...draft, rows: draft.rows.filter(({ id }) => id !== row.id) })
                focusAdd()
              }}
            />
          </li>
        ))}
      </ul>
      <AddLine
        label="Add a key"
        onAdd={() => {
          onChange({ ...draft, rows: [...draft.rows, newRow()] })
          focusLast()
        }}
      />
    </div>
  )
}

function ValueField({
  row: { kind, value },
  onChange,
  ...field
}: {
  label: string
  row: DraftRow
  error: string | undefined
  onChange: (value: string) => void
}) {
  if (kind === 'boolean') {
    return (
      <SelectField
        {...field}
        isLabelHidden
        options={truths}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    )
  }
  if (kind === 'number') {
    return (
      <TextField
        {...field}
        isLabelHidden
        inputMode="decimal"
        spellCheck={false}
        placeholder="0"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    )
  }
  return (
    <TextArea
      {...field}
      isLabelHidden
      rows={1}
      isMono={kind === 'json'}
      spellCheck={false}
      placeholder={kind === 'json' ? '["a"], {"b": 1}, null …' : 'value'}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}

function ListForm({ draft, errors, onChange }: Props) {
  const { region, focusLast, focusAdd } = useNewField()
  return (
    <div ref={region} className="grid min-w-0 gap-2">
      {draft.texts.length === 0 && <p className="text-xs text-faint">No texts: an empty list.</p>}
      <ol className="grid min-w-0 gap-2">
        {draft.texts.map(({ id, value }, index) => (
          <li key={id} data-first-field className="grid min-w-0 grid-cols-[minmax(0,1fr)_auto] items-start gap-2">
            <TextArea
              label={`Text ${index + 1}`}
              isLabelHidden
              rows={1}
              value={value}
              error={errors[`text-${id}`]}
              onChange={(event) =>
                onChange({
                  ...draft,
                  texts: draft.texts.map((text) => (text.id === id ? { id, value: event.target.value } : text)),
                })
              }
            />
            <IconButton
              label={`Remove text ${index + 1}`}
              icon={<Trash2 aria-hidden="true" />}
              onClick={() => {
                onChange({ ...draft, texts: draft.texts.filter((text) => text.id !== id) })
                focusAdd()
              }}
            />
          </li>
        ))}
      </ol>
      <AddLine
        label="Add a text"
        onAdd={() => {
          onChange({ ...draft, texts: [...draft.texts, newText()] })
          focusLast()
        }}
      />
    </div>
  )
}

function AddLine({ label, onAdd }: { label: string; onAdd: () => void }) {
  return (
    <div>
      <Button size="small" data-add icon={<Plus aria-hidden="true" />} onClick={onAdd}>
        {label}
      </Button>
    </div>
  )
}
