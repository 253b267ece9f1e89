'use client'

import { CreditCard } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import { type Ahead, useApprovalAhead } from '#components/approvals/approval-ahead.tsx'
import { accountTitle } from '#components/card-accounts/account-labels.ts'
import { useEnvironment, useRead } from '#components/environment/use-environment.ts'
import { ChoiceField } from '#components/form/choice-field.tsx'
import { SelectField } from '#components/form/select-field.tsx'
import { TextField } from '#components/form/text-field.tsx'
import { OperationDialog } from '#components/operations/operation-dialog.tsx'
import { type OperationProps, useOperation } from '#components/operations/use-operation.ts'
import { OptionalMetadata } from '#components/references/optional-metadata.tsx'
import {
  type DraftErrors,
  metadataErrors,
  metadataText,
  type XmetadataDraft,
} from '#components/references/xmetadata-draft.ts'
import { Callout } from '#components/ui/callout.tsx'
import { type ActionInput } from '#lib/actions/run-action.ts'
import type { CardProduct } from '#lib/console/cards/types.ts'
import type { Card, CardAccount } from '#lib/contract/records.ts'
import type { Operation } from '#lib/operations/types.ts'
import { shortId } from '#lib/shared/ids.ts'
import { routes } from '#lib/shared/routes.ts'
import { errorByStatus, noDigits } from './card-action-table.ts'
import { CardFace, type CardOnFace, cardNoun, cardTitle } from './card-face.tsx'
import { LimitsLeftBehind } from './limits-left-behind.tsx'

const longestEmbossedName = 22

// A letter may carry its accents as combining marks.
const allowed = /^(?:\p{Script=Latin}[\u0300-\u036f]{0,2}|[ -])*$/u

/** The issue of a name to emboss, by the rules of the interface; null where it is valid. */
export function embossedNameProblem(name: string): string | null {
  const entered = name.trim()
  if (!allowed.test(entered)) return 'Use Latin letters, spaces and hyphens only.'
  if (!/\p{Script=Latin}/u.test(entered)) return 'Enter the name for the card.'
  const length = countLetters(entered)
  return length > longestEmbossedName ? `Use at most ${longestEmbossedName} characters; these are ${length}.` : null
}

/** How many places of the card a name takes: a letter and its accents take one. */
export function countLetters(name: string): number {
  return [...name.trim().replaceAll(/[\u0300-\u036f]/g, '')].length
}

/** The part of an account's name that can be embossed, as the form's default; empty where there is none. */
export function suggestedName(name: string | null): string {
  const parts = (name ?? '').split(/\s+/).filter((part) => embossedNameProblem(part) === null)
  const suggestion = parts.join(' ').toUpperCase()
  return embossedNameProblem(suggestion) === null ? suggestion : ''
}

type CardType = ActionInput<'card.issue'>['type']

const types: { value: CardType; label: string; hint: string }[] = [
  { value: 'virtual', label: 'Virtual', hint: 'Ready immediately.' },
  { value: 'physical', label: 'Physical', hint: 'Produced first, then activated by the cardholder.' },
]

/**
 * Issues a card on an account, also in place of another card, which is locked and cancelled first where it is lost or stolen.
 * The face shows the card as it will be.
 */
export function IssueCardDialog({
  account,
  replaced = null,
  isLost = false,
  ...dialog
}: OperationProps & { account: CardAccount; replaced?: Card | null; isLost?: boolean }) {
  const environment = useEnvironment()
  const operation = useOperation({
    ...dialog,
    kind: replaced ? 'card.replace' : 'card.issue',
    onDone: ({ operation: { resultId, steps } }) => ({
      ...(replaced ? { description: endOfReplaced(replaced, steps) } : {}),
      ...(resultId === null
        ? {}
        : { view: { label: 'View card', href: routes.card(environment, account.id, resultId) } }),
    }),
  })
  const { errors, correct } = operation
  const ahead = useApprovalAhead(isLost && replaced?.status !== 'cancelled' ? { topic: 'cancellations' } : null)
  const { data, isError } = useRead('listCardProducts')
  const [type, setType] = useState<CardType>(() => parseCardType(replaced?.product) ?? 'virtual')
  const [chosenId, setChosenId] = useState(replaced?.product?.id ?? '')
  const [name, setName] = useState(() => replaced?.embossedName ?? suggestedName(account.name))
  const [xid, setXid] = useState('')
  const [metadata, setMetadata] = useState<XmetadataDraft | null>(null)
  const [metadataProblems, setMetadataProblems] = useState<DraftErrors>({})
  const [isTried, setIsTried] = useState(false)
  const known = [...(data?.products ?? []), ...(data ? [] : ownProduct(replaced))]
  const products = known.filter((product) => (parseCardType(product) ?? type) === type)
  const product = products.find(({ id }) => id === chosenId) ?? (products.length === 1 ? products[0] : undefined)
  const isListed = !data || known.length > 0
  const productId = isListed ? (product?.id ?? '') : chosenId.trim()
  const nameProblem = embossedNameProblem(name)
  const productProblem = isListed ? 'Select a product.' : 'Enter a product ID.'
  const productField = {
    value: isListed ? productId : chosenId,
    error: fieldProblem(errors.productId, isTried && productId === '' && productProblem),
    onChange: (event: { target: { value: string } }) => {
      setChosenId(event.target.value)
      correct('productId')
    },
  }

  function issue() {
    setIsTried(true)
    const xmetadata = metadataText(metadata)
    if (nameProblem !== null || productId === '' || xmetadata === null) return
    const issuance = { cardAccountId: account.id, type, productId, embossedName: name, xid, xmetadata }
    const confirmed = isLost && replaced?.last4 ? { confirmLast4: replaced.last4 } : {}
    operation.start(replaced ? { ...issuance, cardId: replaced.id, isLost, ...confirmed } : issuance)
  }

  return (
    <OperationDialog
      {...dialog}
      {...(replaced ? replacementQuestion(replaced, isLost, ahead) : issueQuestion(account))}
      operation={operation}
      fields={['productId', 'embossedName', 'xid', 'xmetadata']}
      size="large"
      confirmIcon={<CreditCard aria-hidden="true" />}
      onConfirm={issue}
    >
      <IdentityWarning status={account.clientIdentityStatus} />
      {replaced && <LimitsLeftBehind card={replaced} currency={account.currency} />}
      <div className="grid items-start gap-5 sm:grid-cols-[15rem_minmax(0,1fr)]">
        <CardFace card={previewCard(name, product)} className="w-full max-w-60 max-sm:mx-auto" />
        <div className="grid min-w-0 gap-4">
          <ChoiceField legend="Type" options={types} value={type} onChoose={setType} />
          {isListed ? (
            <SelectField
              {...productField}
              label="Product"
              options={products.map(({ id, name }) => ({ value: id, label: name || `Product ${shortId(id)}` }))}
              placeholder={product ? undefined : data ? 'Select' : isError ? 'Not available' : 'Loading…'}
              hint={data && products.length === 0 ? `No ${type} card of this program found.` : undefined}
            />
          ) : (
            <TextField
              {...productField}
              label="Product ID"
              isMono
              spellCheck={false}
              hint="No product found yet. Enter its ID."
            />
          )}
          <TextField
            label="Name on the card"
            spellCheck={false}
            value={name}
            error={fieldProblem(errors.embossedName, (isTried || name !== '') && nameProblem)}
            hint={`${countLetters(name)} of ${longestEmbossedName} characters`}
            onChange={(event) => {
              setName(event.target.value)
              correct('embossedName')
            }}
          />
          <TextField
            label="External ID"
            isOptional
            isMono
            spellCheck={false}
            maxLength={256}
            value={xid}
            error={fieldProblem(errors.xid)}
            onChange={(event) => {
              setXid(event.target.value)
              correct('xid')
            }}
          />
          <OptionalMetadata
            draft={metadata}
            errors={{ ...(isTried ? metadataErrors(metadata) : {}), ...metadataProblems }}
            error={errors.xmetadata}
            onChange={(draft) => {
              setMetadata(draft)
              setMetadataProblems({})
              correct('xmetadata')
            }}
            onRefused={setMetadataProblems}
          />
        </div>
      </div>
    </OperationDialog>
  )
}

/** Before a card of somebody whose identity is not approved; nothing where the service does not say. */
function IdentityWarning({ status }: { status: string | null }) {
  if (status !== 'rejected' && status !== 'pending') return null
  return (
    <Callout
      tone="warn"
      title={status === 'rejected' ? 'The client identity is rejected.' : 'The client identity isn’t approved yet.'}
    >
      The card can be charged all the same, unless the card service refuses it.
    </Callout>
  )
}

type Question = Pick<
  ComponentProps<typeof OperationDialog>,
  'title' | 'consequence' | 'confirmationLevel' | 'typed' | 'unavailable' | 'confirmLabel' | 'cancelLabel'
>

function issueQuestion(account: CardAccount): Question {
  return {
    title: `Issue a card on ${accountTitle(account)}?`,
    consequence: 'The card is charged to this account.',
    confirmationLevel: 'light',
    confirmLabel: 'Issue card',
    cancelLabel: 'Don’t issue',
  }
}

/** Who reports a card lost enters its last four digits, since it is cancelled. */
function replacementQuestion(card: Card, isLost: boolean, ahead: Ahead | null): Question {
  if (!isLost) {
    return {
      title: `Replace ${cardNoun(card)}?`,
      consequence: 'Issues a new card with these details. The old card stays as it is.',
      confirmationLevel: 'light',
      confirmLabel: 'Issue replacement',
      cancelLabel: 'Keep card',
    }
  }
  return {
    title: `Is ${cardNoun(card)} lost or stolen?`,
    consequence: stepsAhead(card.status, ahead),
    confirmationLevel: 'high',
    ...(card.last4 ? { typed: { digits: card.last4 } } : { unavailable: noDigits }),
    confirmLabel: ahead?.isCertain ? 'Replace card and ask to cancel' : 'Cancel and replace card',
    cancelLabel: 'Keep card',
  }
}

/** The steps for a lost card, in their order: what is done now, and what may wait for an approval. */
export function stepsAhead(status: string | null, ahead: Ahead | null): string {
  if (status === 'cancelled') return 'Issues a new card. This one is cancelled already.'
  const isLockable = errorByStatus(status, 'lock') === undefined
  if (ahead?.isCertain) {
    return `${isLockable ? 'Locks this card and issues a new one' : 'Issues a new card'} now. The cancellation needs an approval: ${ahead.sentence}`
  }
  const steps = `${isLockable ? 'Locks and cancels' : 'Cancels'} this card for good and issues a new one, in one go.`
  return ahead ? `${steps} The cancellation may wait: ${ahead.sentence}` : steps
}

function endOfReplaced(replaced: Card, steps: Operation['steps']): string {
  const cancelling = steps.find(({ kind }) => kind === 'card.cancel')?.outcome.state
  if (cancelling === 'waiting') return `${cardTitle(replaced)}: the cancellation waits for approval.`
  if (cancelling === 'done' || replaced.status === 'cancelled') return `${cardTitle(replaced)} is cancelled.`
  return `${cardTitle(replaced)} is unchanged. Cancel it once the new one is in use.`
}

/** An error of the service or the server, else what the form itself found. */
function fieldProblem(refused: string | undefined, own: string | false | null = null): string | undefined {
  return refused ?? (own || undefined)
}

function parseCardType(product: Card['product'] | CardProduct | undefined): CardType | null {
  const named = product?.cardType?.toLowerCase()
  return named === 'virtual' || named === 'physical' ? named : null
}

function ownProduct(card: Card | null): CardProduct[] {
  return card?.product?.id ? [{ ...card.product, id: card.product.id }] : []
}

/** The card as it will be: without a number and an expiry, which the service gives it. */
function previewCard(name: string, product: CardProduct | undefined): CardOnFace {
  const unknown = { last4: null, expiryMonth: null, expiryYear: null }
  return { ...unknown, status: 'active', embossedName: name.trim(), product: product ?? null }
}
