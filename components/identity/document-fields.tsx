'use client'

import { FileText, Upload, X } from 'lucide-react'
import { useId, useRef } from 'react'
import { errorSentence } from '#components/form/error-sentence.ts'
import { buttonStyle } from '#components/ui/button-style.ts'
import { IconButton } from '#components/ui/icon-button.tsx'
import {
  documentFileTypes,
  needsDocuments,
  supportingDocumentTypes,
  type SupportingDocumentType,
} from '#lib/contract/individual-rules.ts'
import { supportingLabels } from './individual-labels.ts'
import { type ChosenFile, type IndividualForm, sizeText } from './use-individual-form.ts'

/** The files that go with an individual, with a preview each. They stay in this page until they are sent. */
export function DocumentFields({ form }: { form: IndividualForm }) {
  const problem = form.error('supportingDocuments')
  const id = useId()
  return (
    <fieldset className="min-w-0" aria-describedby={problem ? `${id}-error` : `${id}-hint`}>
      <legend className="font-medium">Supporting documents</legend>
      <p id={`${id}-hint`} className="mt-0.5 text-xs text-faint">
        {needsDocuments(form.entry.nationality)
          ? 'Required: the nationality is not Hong Kong.'
          : 'Optional for Hong Kong nationals.'}{' '}
        JPEG, PNG or PDF, 700 KB together. Upload both sides of a travel permit.
      </p>
      <ul className="mt-3 grid gap-3 sm:grid-cols-[repeat(auto-fit,minmax(18.5rem,1fr))]">
        {supportingDocumentTypes.map((type) => (
          <DocumentField key={type} type={type} form={form} />
        ))}
      </ul>
      {problem && (
        <div id={`${id}-error`} role="alert" className="mt-3 text-xs text-bad">
          {errorSentence('document', problem)}
        </div>
      )}
    </fieldset>
  )
}

function DocumentField({ type, form }: { type: SupportingDocumentType; form: IndividualForm }) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const file = form.files[type]
  const error = form.error(`file.${type}`)
  const label = supportingLabels[type]
  return (
    <li className="flex min-w-0 items-center gap-3 rounded-panel border p-2.5">
      <Preview file={file} label={label} />
      <div className="min-w-0 flex-1">
        <label htmlFor={id} className="block">
          {label}
        </label>
        <div id={`${id}-note`} role={error ? 'alert' : undefined} className="truncate text-xs text-faint">
          {error ? (
            <span className="whitespace-normal text-bad">{error}</span>
          ) : file ? (
            `${file.name} · ${sizeText(file.bytes)}`
          ) : (
            'No file'
          )}
        </div>
      </div>
      <span
        className={buttonStyle({
          size: 'small',
          isSquare: file !== undefined,
          className:
            'relative overflow-hidden focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-accent',
        })}
      >
        <Upload aria-hidden="true" />
        {!file && <span aria-hidden="true">Add</span>}
        <input
          ref={input}
          id={id}
          type="file"
          data-field={`individual.file.${type}`}
          accept={documentFileTypes.join(',')}
          aria-describedby={`${id}-note`}
          aria-invalid={error ? true : undefined}
          onChange={(event) => {
            const chosen = event.target.files?.[0]
            if (chosen) void form.choose(type, chosen)
            // The same file can be chosen again after it was removed.
            event.target.value = ''
          }}
          className="absolute inset-0 cursor-pointer opacity-0 file:cursor-pointer"
        />
      </span>
      {file && (
        <IconButton
          label={`Remove ${label.toLowerCase()}`}
          size="small"
          icon={<X aria-hidden="true" />}
          onClick={() => {
            void form.choose(type, null)
            input.current?.focus()
          }}
        />
      )}
    </li>
  )
}

function Preview({ file, label }: { file: ChosenFile | undefined; label: string }) {
  const frame = 'flex size-12 shrink-0 items-center justify-center overflow-hidden rounded-control bg-sunken text-faint'
  if (file?.dataUri.startsWith('data:image/')) {
    // oxlint-disable-next-line nextjs/no-img-element -- a file of this page alone, which no server resizes
    return <img src={file.dataUri} alt={`${label}: ${file.name}`} className={`${frame} object-cover`} />
  }
  return (
    <span aria-hidden="true" className={frame}>
      {file && <FileText className="size-5" />}
    </span>
  )
}
