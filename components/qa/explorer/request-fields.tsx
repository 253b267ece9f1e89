'use client'

import { Plus, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { errorSentence } from '#components/form/error-sentence.ts'
import { toOptions } from '#components/form/options.ts'
import { Button } from '#components/ui/button.tsx'
import { Disclosure } from '#components/ui/disclosure.tsx'
import { IconButton } from '#components/ui/icon-button.tsx'
import { noValue } from '#components/ui/not-provided.tsx'
import type { FormField } from '#lib/contract/request-form.ts'
import { LeafField } from '../leaf-field.tsx'
import { type Draft, draftFields } from './draft.ts'

type Drafts = { [name: string]: Draft }
type FieldsProps = {
  fields: readonly FormField[]
  drafts: Drafts
  /** The message of each wrong field, by its dotted path. */
  issues: ReadonlyMap<string, string>
  /** The path of the object that has these fields; '' for the outermost. */
  path: string
  onChange: (drafts: Drafts) => void
}

/** The controls of the fields of a request. */
export function RequestFields({ fields, drafts, issues, path, onChange }: FieldsProps) {
  return (
    <div className="grid items-start gap-x-4 gap-y-3 @lg:grid-cols-2">
      {fields.map((field) => (
        <RequestField
          key={field.name}
          field={field}
          draft={drafts[field.name]}
          issues={issues}
          path={path === '' ? field.name : `${path}.${field.name}`}
          onChange={(draft) => onChange({ ...drafts, [field.name]: draft })}
        />
      ))}
    </div>
  )
}

type FieldProps = {
  field: FormField
  draft: Draft | undefined
  issues: ReadonlyMap<string, string>
  path: string
  onChange: (draft: Draft) => void
}

function RequestField(props: FieldProps) {
  const { field, draft, issues, path, onChange } = props
  if (field.kind === 'object') return <ObjectField {...props} />
  if (field.kind === 'list') return <ListField {...props} />
  return (
    <LeafControl
      field={field}
      label={<FieldName field={field} />}
      value={typeof draft === 'string' ? draft : ''}
      error={issueSentence(field.name, issues.get(path))}
      onValue={onChange}
    />
  )
}

function FieldName({ field }: { field: FormField }) {
  return (
    <>
      <span className="font-mono text-xs text-ink">{field.name}</span>
      {field.isRequired && <span className="text-xs text-faint"> required</span>}
    </>
  )
}

function issueSentence(name: string, issue: string | undefined): string | undefined {
  return issue && errorSentence(name, issue)
}

function LeafControl({
  field: { kind, options = ['true', 'false'], hint },
  ...leaf
}: {
  field: FormField
  label: ReactNode
  value: string
  error: string | undefined
  onValue: (text: string) => void
}) {
  if (kind === 'select' || kind === 'boolean') {
    const choices = toOptions(options)
    return <LeafField {...leaf} kind="select" hint={hint} options={choices} placeholder={noValue} />
  }
  if (kind === 'json') return <LeafField {...leaf} kind="json" hint="JSON" />
  return <LeafField {...leaf} kind={kind === 'number' ? 'number' : 'text'} hint={hint} isMono />
}

function ObjectField({ field, draft, issues, path, onChange }: FieldProps) {
  const drafts = draftFields(draft)
  const isOpen =
    field.isRequired ||
    Object.keys(drafts).length > 0 ||
    [...issues.keys()].some((wrong) => wrong.startsWith(`${path}.`))
  const error = issues.get(path)
  return (
    <div className="rounded-control border px-3 py-1.5 @lg:col-span-2">
      <Disclosure
        tone="ink"
        isWide
        isOpen={isOpen}
        title={
          <>
            <FieldName field={field} />
            {error && <span className="ml-1 text-xs text-bad">{error}</span>}
          </>
        }
      >
        <div className="pb-1.5">
          <RequestFields fields={field.fields ?? []} drafts={drafts} issues={issues} path={path} onChange={onChange} />
        </div>
      </Disclosure>
    </div>
  )
}

function ListField({ field, draft, issues, path, onChange }: FieldProps) {
  const items = Array.isArray(draft) ? draft : []
  const { item } = field
  const error = issues.get(path)
  if (!item) return null
  const replace = (at: number, next: Draft) => onChange(items.map((each, index) => (index === at ? next : each)))
  const isObject = item.kind === 'object'
  return (
    <fieldset className="min-w-0 rounded-control border px-3 pt-1 pb-3 @lg:col-span-2">
      <legend className="px-1">
        <FieldName field={field} />
      </legend>
      {error && (
        <p role="alert" className="mb-2 text-xs text-bad">
          {error}
        </p>
      )}
      <ol className="grid gap-2">
        {items.map((each, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- items have no identity but their position
          <li key={at} className="flex items-start gap-2">
            <div className="min-w-0 flex-1">
              {isObject ? (
                <RequestFields
                  fields={item.fields ?? []}
                  drafts={draftFields(each)}
                  issues={issues}
                  path={`${path}.${at}`}
                  onChange={(next) => replace(at, next)}
                />
              ) : (
                <LeafControl
                  field={item}
                  label={<span className="sr-only">{`${field.name} ${at + 1}`}</span>}
                  value={typeof each === 'string' ? each : ''}
                  error={issueSentence(`${field.name} ${at + 1}`, issues.get(`${path}.${at}`))}
                  onValue={(next) => replace(at, next)}
                />
              )}
            </div>
            <IconButton
              label={`Remove ${field.name} ${at + 1}`}
              icon={<X />}
              variant="quiet"
              onClick={() => onChange(items.filter((_, index) => index !== at))}
            />
          </li>
        ))}
      </ol>
      <Button
        size="small"
        icon={<Plus />}
        className={items.length > 0 ? 'mt-2' : ''}
        onClick={() => onChange([...items, isObject ? {} : ''])}
      >
        Add item
      </Button>
    </fieldset>
  )
}
