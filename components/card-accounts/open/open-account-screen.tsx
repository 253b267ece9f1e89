'use client'

import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { Check, RotateCcw, UserPlus } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { parseAsStringLiteral, useQueryState } from 'nuqs'
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { useEnvironment } from '#components/environment/use-environment.ts'
import { useFormDraft } from '#components/form/form-draft.ts'
import { DocumentFields } from '#components/identity/document-fields.tsx'
import { IdentityDocumentFields, PersonFields, WorkFields } from '#components/identity/individual-fields.tsx'
import { supportingLabels } from '#components/identity/individual-labels.ts'
import { focusFirstProblem } from '#components/identity/use-individual-form.ts'
import { useOperation } from '#components/operations/use-operation.ts'
import { Button } from '#components/ui/button.tsx'
import { Callout } from '#components/ui/callout.tsx'
import { lazyDialog, preloadDialog } from '#components/ui/dialog.tsx'
import { Page } from '#components/ui/page.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { currentStaffQuery } from '#lib/queries/session.ts'
import { routes } from '#lib/shared/routes.ts'
import { AccountTerms } from './account-terms.tsx'
import { CheckStep } from './check-step.tsx'
import { type Step, stepOfField, steps, toStoredOpening, useOpeningForm } from './use-opening-form.ts'

const ConfirmDialog = lazyDialog(() => import('#components/form/confirm-dialog.tsx').then((file) => file.ConfirmDialog))
const OpenDialog = lazyDialog(() => import('./open-dialog.tsx').then((file) => file.OpenDialog))

const stepTitles: Record<Step, string> = {
  cardholder: 'Cardholder',
  documents: 'Documents',
  account: 'Account',
  check: 'Check',
}

/**
 * A new card account, from its cardholder to the request: one step after another, each of which can be gone back to. It
 * stays filled in when the page is left.
 */
export function OpenAccountScreen() {
  const environment = useEnvironment()
  const router = useRouter()
  const element = useRef<HTMLFormElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const [requested, setRequested] = useQueryState('step', parseAsStringLiteral(steps).withOptions({ history: 'push' }))
  const [isOpen, setIsOpen] = useState(false)
  const [furthest, setFurthest] = useState(0)
  const [isClearing, setIsClearing] = useState(false)
  const [operationId] = useState(() => crypto.randomUUID())
  const operation = useOperation({ kind: 'account.open', staysOpen: true, operationId, onClose: () => undefined })
  const { outcome, errors, correct, resultId } = operation
  const form = useOpeningForm(errors, correct)
  const step = form.isEmpty ? 'cardholder' : (requested ?? 'cardholder')
  const isUndecided = outcome?.state === 'unknown' || outcome?.state === 'running'
  const isOpened = outcome?.state === 'done' || outcome?.state === 'partial'
  const isWaiting = outcome?.state === 'waiting'

  async function goTo(next: Step) {
    setFurthest((before) => Math.max(before, steps.indexOf(next)))
    await setRequested(next === 'cardholder' ? null : next)
    heading.current?.focus()
  }

  /** Goes to the step of a field that was refused. Errors without a matching field are shown in the dialog. */
  function goToProblem(fields: readonly string[]) {
    const at = steps.find((one) => one !== 'check' && fields.some((field) => stepOfField(field) === one))
    if (at === undefined) return
    setIsOpen(false)
    void goTo(at).then(() => focusFirstProblem(element))
  }

  function next() {
    if (!form.check(step)) return focusFirstProblem(element)
    if (step !== 'check') return void goTo(steps[steps.indexOf(step) + 1] ?? 'check')
    preloadDialog()
    // A request that was refused is another one after its correction.
    if (outcome === null) operation.clear()
    setIsOpen(true)
  }

  const { draft } = form
  // A sent request is an operation: editing it again could open the account twice.
  const isSent = operation.isPending || outcome !== null
  const { data: current } = useQuery(currentStaffQuery())
  useFormDraft({
    staffId: current?.staff.id,
    name: `open-account ${environment}`,
    draft: useMemo(() => (draft && !isSent ? { ...draft, step, furthest } : null), [draft, isSent, step, furthest]),
    toStored: toStoredOpening,
    onRestore: (found) => {
      if (!form.isEmpty) return
      form.restore(found)
      setFurthest(found.furthest)
      if (requested === null && found.step !== 'cardholder') void setRequested(found.step, { history: 'replace' })
    },
  })

  const forget = useEffectEvent(form.forget)
  useEffect(() => {
    if (!isOpened && !isWaiting) return
    forget()
    if (outcome.state === 'done' && resultId !== null) router.push(routes.cardAccount(environment, resultId))
  }, [isOpened, isWaiting, outcome?.state, resultId, router, environment])

  return (
    <Page
      title="Open card account"
      above={[{ label: 'Card accounts', href: routes.cardAccounts(environment) }]}
      actions={
        !form.isEmpty &&
        !isSent && (
          <Button icon={<RotateCcw aria-hidden="true" />} onClick={() => setIsClearing(true)}>
            Clear form
          </Button>
        )
      }
    >
      {isUndecided && !isOpen && (
        <Callout
          tone="warn"
          title="We don’t know yet if the account was opened."
          actions={<Button onClick={() => setIsOpen(true)}>Show</Button>}
        >
          Carddesk is checking. Nothing else can be sent from here until it is known.
        </Callout>
      )}
      <form
        ref={element}
        // A press before the page's script is there does nothing: this method sends nothing outside of a dialog.
        method="dialog"
        noValidate
        aria-label="Open card account"
        data-work="none"
        className="grid min-w-0 items-start gap-5 lg:grid-cols-[11rem_minmax(0,46rem)]"
        onSubmit={(event) => {
          event.preventDefault()
          next()
        }}
      >
        <StepList
          current={step}
          furthest={form.isEmpty ? 0 : furthest}
          isStarted={!form.isEmpty}
          listProblems={form.listProblems}
          onGo={(to) => void goTo(to)}
        />
        <Panel>
          <h2 ref={heading} tabIndex={-1} className="mb-4 font-medium outline-none">
            {stepTitles[step]}
          </h2>
          {step === 'cardholder' && (
            <div className="grid items-start gap-4 sm:grid-cols-2">
              <PersonFields form={form.individual} />
              <WorkFields form={form.individual} />
            </div>
          )}
          {step === 'documents' && (
            <div className="grid gap-5">
              <fieldset className="grid min-w-0 items-start gap-4 sm:grid-cols-2">
                <legend className="mb-3 font-medium">Identity document</legend>
                <IdentityDocumentFields form={form.individual} />
              </fieldset>
              {form.lostFiles.length > 0 && (
                <Callout tone="warn" title="Choose these files again.">
                  {form.lostFiles.map((type) => supportingLabels[type]).join(', ')}. Files aren’t stored.
                </Callout>
              )}
              <DocumentFields form={form.individual} />
            </div>
          )}
          {step === 'account' && <AccountTerms form={form} />}
          {step === 'check' && <CheckStep form={form} onGo={(to) => void goTo(to)} />}
          <div className="mt-5 flex flex-wrap items-center gap-2 border-t pt-4">
            {step !== 'cardholder' && (
              <Button size="large" onClick={() => void goTo(steps[steps.indexOf(step) - 1] ?? 'cardholder')}>
                Back
              </Button>
            )}
            <Button
              type="submit"
              size="large"
              variant="primary"
              icon={step === 'check' ? <UserPlus aria-hidden="true" /> : undefined}
              unavailable={isUndecided && step === 'check' ? 'The last request is still being checked.' : undefined}
            >
              {step === 'check' ? 'Open account…' : 'Continue'}
            </Button>
            <span className="ml-auto text-xs text-faint">Saved in this tab.</span>
          </div>
        </Panel>
      </form>
      {(isOpen || outcome !== null) && (
        <OpenDialog
          form={form}
          operation={operation}
          isOpen={isOpen}
          finalFocus={() => element.current?.querySelector<HTMLElement>('[aria-invalid="true"]') ?? null}
          onClose={() => {
            setIsOpen(false)
            if (isWaiting || (isOpened && resultId === null)) router.push(routes.cardAccounts(environment))
          }}
          onConfirm={() => {
            operation.start(form.request(), (result) => {
              if (result.kind !== 'refused') goToProblem(Object.keys(result.fields))
            })
          }}
        />
      )}
      <ConfirmDialog
        isOpen={isClearing}
        onClose={() => setIsClearing(false)}
        confirmationLevel="moderate"
        title="Clear this form?"
        consequence="What you entered is deleted. Nothing has been sent."
        confirmLabel="Clear form"
        cancelLabel="Keep form"
        onConfirm={() => {
          setIsClearing(false)
          setFurthest(0)
          forget()
          operation.clear()
          void setRequested(null)
        }}
      />
    </Page>
  )
}

function StepList({
  current,
  furthest,
  isStarted,
  listProblems,
  onGo,
}: {
  current: Step
  /** The last step that was reached, by its place. */
  furthest: number
  isStarted: boolean
  listProblems: (step: Step) => readonly unknown[]
  onGo: (step: Step) => void
}) {
  return (
    <nav aria-label="Steps" className="min-w-0 lg:sticky lg:top-[calc(var(--sticky-top)+1rem)]">
      <ol className="grid grid-cols-2 gap-1 sm:flex sm:flex-wrap lg:flex-col">
        {steps.map((step, index) => {
          const isDone = index < furthest && step !== 'check' && listProblems(step).length === 0
          return (
            <li key={step}>
              <button
                type="button"
                aria-current={step === current ? 'step' : undefined}
                {...(isStarted ? { onClick: () => onGo(step) } : { 'aria-disabled': true })}
                className={clsx(
                  'flex min-h-8 w-full items-center gap-2 rounded-control px-2 text-left pointer-large',
                  step === current ? 'bg-accent-wash font-medium' : 'text-soft',
                  isStarted && step !== current && 'hover:bg-hover hover:text-ink',
                )}
              >
                <span
                  className={clsx(
                    'flex size-5 shrink-0 items-center justify-center rounded-full border text-xs tabular-nums',
                    isDone ? 'border-transparent bg-accent text-on-accent' : 'border-edge',
                  )}
                >
                  {isDone ? <Check aria-hidden="true" className="size-3" /> : index + 1}
                </span>
                {stepTitles[step]}
                {isDone && <span className="sr-only">, complete</span>}
              </button>
            </li>
          )
        })}
      </ol>
    </nav>
  )
}
