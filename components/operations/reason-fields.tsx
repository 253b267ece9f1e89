'use client'

import { useState } from 'react'
import { toOptions } from '#components/form/options.ts'
import { SelectField } from '#components/form/select-field.tsx'
import { TextField } from '#components/form/text-field.tsx'
import { operationDefinition, type OperationKind, reasonIssues } from '#lib/api/actions.ts'
import { holdsCardNumber } from '#lib/shared/card-numbers.ts'
import { longestComment, type Reason, reasonLabels } from '#lib/shared/reasons.ts'

export type EnteredReason = { reason?: Reason; comment?: string }

/** The reason and comment of a form with `ReasonFields`; empty ones are left out. */
export function reasonIn(values: FormData): EnteredReason {
  return toEnteredReason(String(values.get('reason') ?? ''), String(values.get('comment') ?? ''))
}

function toEnteredReason(reason: string, given: string): EnteredReason {
  const comment = given.trim()
  return { ...(reason === '' ? {} : { reason: reason as Reason }), ...(comment === '' ? {} : { comment }) }
}

/** Issues of a reason and its comment by field, found before anything is sent. */
export function reasonProblems(
  kind: OperationKind,
  entered: EnteredReason,
  isRequired?: boolean,
): Record<string, string> {
  if (holdsCardNumber(entered.comment ?? '')) return { comment: 'must not hold a card number' }
  return reasonIssues(kind, entered, isRequired)
}

/** Why it is done: a list of the kind's reasons, and a comment once one is chosen. */
export function ReasonFields({
  kind,
  errors,
  isRequired = operationDefinition(kind).isReasonRequired ?? false,
  onEntered,
}: {
  kind: OperationKind
  errors: Record<string, string>
  isRequired?: boolean
  /** Called with what is entered so far, for a form that does not submit these fields. */
  onEntered?: (entered: EnteredReason) => void
}) {
  const [reason, setReason] = useState('')
  const [comment, setComment] = useState('')
  const { reasons = [] } = operationDefinition(kind)
  if (reasons.length === 0) return null

  function enter(nextReason: string, nextComment: string) {
    setReason(nextReason)
    setComment(nextComment)
    onEntered?.(toEnteredReason(nextReason, nextComment))
  }

  return (
    <>
      <SelectField
        name="reason"
        label="Reason"
        isOptional={!isRequired}
        placeholder={isRequired ? 'Choose one' : 'None given'}
        value={reason}
        onChange={(event) => enter(event.target.value, comment)}
        options={toOptions(reasons, (code) => reasonLabels[code])}
        error={errors.reason && `A reason ${errors.reason}.`}
      />
      {reason !== '' && (
        <TextField
          name="comment"
          label="Comment"
          isOptional={reason !== 'other'}
          maxLength={longestComment}
          value={comment}
          onChange={(event) => enter(reason, event.target.value)}
          hint="Saved in the audit log. Don’t enter card numbers."
          error={errors.comment}
        />
      )}
    </>
  )
}
