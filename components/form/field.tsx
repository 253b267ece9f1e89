import { clsx } from 'clsx'
import { CircleAlert } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { errorSentence } from './error-sentence.ts'

export type FieldWiring = { id: string; 'aria-describedby'?: string; 'aria-invalid'?: true }

export type FieldProps = {
  label: ReactNode
  hint?: ReactNode
  /** The field's issue and how to correct it; a rule's message (`is required`) gets the label before it. Read immediately by a screen reader. */
  error?: ReactNode
  isLabelHidden?: boolean
  isOptional?: boolean
  className?: string
}

export const controlStyle =
  'h-9 w-full min-w-0 rounded-control border border-edge/70 bg-surface px-2.5 text-ink shadow-control transition-colors hover:border-edge aria-invalid:border-bad aria-disabled:border-dashed aria-disabled:text-faint'

/** Parts what belongs to the field around a control from what belongs to the control itself. */
export function partField<Props extends FieldProps>(props: Props): [FieldProps, Omit<Props, keyof FieldProps>] {
  const { label, hint, error, isLabelHidden, isOptional, className, ...control } = props
  return [{ label, hint, error, isLabelHidden, isOptional, className }, control]
}

/** Wires a control to its label, hint and error: `children` gets the attributes that the control needs. */
export function Field({
  label,
  hint,
  error,
  isLabelHidden = false,
  isOptional = false,
  className,
  children,
}: FieldProps & { children: (wiring: FieldWiring) => ReactNode }) {
  const id = useId()
  const hasHint = Boolean(hint)
  const hasError = Boolean(error)
  const describedBy = [hasError && `${id}-error`, hasHint && `${id}-hint`].filter(Boolean).join(' ')
  return (
    <div className={clsx('min-w-0', className)}>
      <label htmlFor={id} className={isLabelHidden ? 'sr-only' : 'mb-1 block text-soft'}>
        {label}
        {isOptional && <span className="text-faint"> (optional)</span>}
      </label>
      {children({
        id,
        ...(describedBy === '' ? {} : { 'aria-describedby': describedBy }),
        ...(hasError ? { 'aria-invalid': true as const } : {}),
      })}
      {hasError && (
        <div id={`${id}-error`} role="alert" className="mt-1 flex gap-1.5 text-xs text-bad">
          <CircleAlert aria-hidden="true" className="mt-px size-3.5 shrink-0" />
          <span>{typeof error === 'string' && typeof label === 'string' ? errorSentence(label, error) : error}</span>
        </div>
      )}
      {hasHint && (
        <div id={`${id}-hint`} className="mt-1 text-xs text-faint">
          {hint}
        </div>
      )}
    </div>
  )
}
