'use client'

import { Plus, Trash2 } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useEnvironment, useRead } from '#components/environment/use-environment.ts'
import { tableOptions, toOptions } from '#components/form/options.ts'
import { SelectField } from '#components/form/select-field.tsx'
import { TextField } from '#components/form/text-field.tsx'
import { OutcomeCallout } from '#components/operations/outcome-text.tsx'
import { useAction } from '#components/operations/use-action.ts'
import { Button } from '#components/ui/button.tsx'
import { IconButton } from '#components/ui/icon-button.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { type HelpDeskPolicy, requestKinds, requestRow, requestWays, wayLabels } from '#lib/api/help-desk-requests.ts'
import { type PolicyRule, type PolicyTopic, policyTopics, ruleText } from '#lib/operations/approvals/policy-rules.ts'
import type { PolicyRuleEntry, PolicyTerms } from '#lib/operations/approvals/types.ts'
import { longestComment } from '#lib/shared/reasons.ts'

type Draft = {
  key: number
  topic: PolicyTopic
  when: PolicyRule['when']
  amount: string
  currency: string
  count: string
}

const topicOptions = tableOptions(policyTopics)

function toDraft(rule: PolicyRule, key: number): Draft {
  return {
    key,
    topic: rule.topic,
    when: rule.when,
    amount: rule.when === 'amount' ? rule.amount : '',
    currency: rule.when === 'amount' ? rule.currency : 'HKD',
    count: rule.when === 'count' ? String(rule.count) : '',
  }
}

function toRule({ topic, when, amount, currency, count }: Draft): PolicyRuleEntry {
  if (when === 'always') return { topic, when }
  if (when === 'count') return { topic, when, count }
  return { topic: topic === 'cancellations' ? 'payouts' : topic, when, amount, currency }
}

/** Proposes a policy that replaces another. */
export function PolicyForm({
  from,
  replaces,
  onClose,
}: {
  from: PolicyTerms
  replaces: string | null
  onClose: () => void
}) {
  const environment = useEnvironment()
  const [policyId] = useState(() => crypto.randomUUID())
  const [drafts, setDrafts] = useState<Draft[]>(() => from.rules.map(toDraft))
  const { isPending, problem, errors, correct, onChange, run } = useAction()
  const { data: funding } = useRead('listFundingAccounts')
  const currencies = [...new Set((funding?.accounts ?? []).flatMap((account) => account.currency ?? []))]
  const [currency = 'HKD'] = currencies
  const presets: PolicyRule[] = [
    { topic: 'payouts', when: 'amount', amount: '10000', currency },
    { topic: 'cancellations', when: 'always' },
    { topic: 'bulk-jobs', when: 'count', count: 50 },
  ]

  async function propose(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const values = new FormData(event.currentTarget)
    const text = (name: string) => String(values.get(name) ?? '')
    const input = {
      environment,
      policyId,
      replaces,
      rules: drafts.map(toRule),
      helpDesk: readHelpDeskPolicy(text),
      expiryHours: text('expiryHours'),
      tolerancePercent: text('tolerancePercent'),
      comment: text('comment'),
    }
    if (await run('proposePolicy', input)) onClose()
  }

  const add = (rule: PolicyRule) =>
    setDrafts((before) => [...before, toDraft(rule, Math.max(-1, ...before.map(({ key }) => key)) + 1)])
  const changeDrafts = (change: (before: Draft[]) => Draft[]) => {
    correct('rules')
    setDrafts(change)
  }
  const change = (key: number, values: Partial<Draft>) =>
    changeDrafts((before) => before.map((draft) => (draft.key === key ? { ...draft, ...values } : draft)))

  return (
    <Panel title="Propose a change">
      <form className="grid gap-4" onChange={onChange} onSubmit={(event) => void propose(event)}>
        {problem && <OutcomeCallout outcome={problem} />}
        {drafts.length === 0 && <p className="text-soft">Without a rule nothing needs an approval.</p>}
        {drafts.map((draft, index) => (
          <RuleFields
            key={draft.key}
            index={index}
            draft={draft}
            currencies={[...new Set([...currencies, draft.currency])]}
            errors={errors}
            onChange={(values) => change(draft.key, values)}
            onRemove={() => changeDrafts((before) => before.filter(({ key }) => key !== draft.key))}
          />
        ))}
        {errors.rules && <p className="text-bad">The rules {errors.rules}.</p>}
        <div className="flex flex-wrap items-center gap-2">
          <Button icon={<Plus />} onClick={() => add({ topic: 'payouts', when: 'amount', amount: '', currency })}>
            Add rule
          </Button>
          {presets
            .filter((rule) => !drafts.some(({ topic, when }) => topic === rule.topic && when === rule.when))
            .map((rule) => (
              <Button key={ruleText(rule)} variant="quiet" icon={<Plus />} onClick={() => add(rule)}>
                {ruleText(rule).replace(/\.$/, '')}
              </Button>
            ))}
        </div>
        <HelpDeskFields from={from.helpDesk} error={errors.helpDesk} />
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            name="expiryHours"
            label="A request expires after"
            suffix="hours"
            inputMode="numeric"
            defaultValue={String(from.expiryHours)}
            error={errors.expiryHours && `The hours ${errors.expiryHours}.`}
          />
          <TextField
            name="tolerancePercent"
            label="An expired quote may cost more by"
            suffix="%"
            inputMode="decimal"
            defaultValue={from.tolerancePercent}
            error={errors.tolerancePercent && `The tolerance ${errors.tolerancePercent}.`}
          />
        </div>
        <TextField
          name="comment"
          label="Reason"
          maxLength={longestComment}
          hint="Saved in the audit log"
          error={errors.comment && `A reason ${errors.comment}.`}
        />
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" isPending={isPending}>
            Propose policy
          </Button>
        </div>
      </form>
    </Panel>
  )
}

/** Policy for help desks from the form's selects; an empty one allows nothing. */
function readHelpDeskPolicy(text: (name: string) => string): HelpDeskPolicy {
  const chosen = requestKinds.map((kind) => [kind, requestWays.find((way) => way === text(kind))] as const)
  return Object.fromEntries(chosen.filter(([, way]) => way !== undefined))
}

function HelpDeskFields({ from, error }: { from: HelpDeskPolicy; error: string | undefined }) {
  return (
    <fieldset className="min-w-0 rounded-control border p-3">
      <legend className="px-1 text-soft">What help desks can request from a ticket</legend>
      <div className="grid gap-3 sm:grid-cols-2 lg:grid-cols-4">
        {requestKinds.map((kind) => (
          <SelectField
            key={kind}
            name={kind}
            label={requestRow(kind).label}
            defaultValue={from[kind] ?? ''}
            options={[
              { value: '', label: 'Not allowed' },
              ...requestRow(kind).ways.map((way) => ({ value: way, label: wayLabels[way] })),
            ]}
          />
        ))}
      </div>
      {error && <p className="mt-2 text-bad">The requests {error}.</p>}
    </fieldset>
  )
}

function RuleFields({
  index,
  draft,
  currencies,
  errors,
  onChange,
  onRemove,
}: {
  index: number
  draft: Draft
  currencies: readonly string[]
  errors: Record<string, string>
  onChange: (values: Partial<Draft>) => void
  onRemove: () => void
}) {
  const { hasAmount, amountLabel } = policyTopics[draft.topic]
  const problem = (name: string, label: string) => {
    const wrong = errors[`rules.${index}.${name}`]
    return wrong && `${label} ${wrong}.`
  }
  const whenOptions = [
    { value: 'always', label: 'Always' },
    ...(hasAmount ? [{ value: 'amount', label: 'From an amount' }] : []),
    { value: 'count', label: draft.topic === 'bulk-jobs' ? 'From a number of rows' : 'From a number in 24 hours' },
  ]
  return (
    <fieldset className="min-w-0 rounded-control border p-3">
      <legend className="px-1 text-soft">Rule {index + 1}</legend>
      <div className="flex flex-wrap items-start gap-3">
        <SelectField
          className="min-w-40 flex-1"
          label="What"
          value={draft.topic}
          options={topicOptions}
          onChange={({ target }) => {
            const topic = target.value as PolicyTopic
            const isLost = draft.when === 'amount' && !policyTopics[topic].hasAmount
            onChange({ topic, ...(isLost ? { when: 'always' as const } : {}) })
          }}
        />
        <SelectField
          className="min-w-40 flex-1"
          label="Needs an approval"
          value={draft.when}
          options={whenOptions}
          onChange={({ target }) => onChange({ when: target.value as Draft['when'] })}
        />
        {draft.when === 'amount' && (
          <>
            <TextField
              className="min-w-40 flex-1"
              label={amountLabel}
              inputMode="decimal"
              value={draft.amount}
              onChange={({ target }) => onChange({ amount: target.value })}
              error={problem('amount', 'The amount')}
            />
            <SelectField
              className="w-28"
              label="Currency"
              options={toOptions(currencies)}
              value={draft.currency}
              onChange={({ target }) => onChange({ currency: target.value })}
              error={problem('currency', 'The currency')}
            />
          </>
        )}
        {draft.when === 'count' && (
          <TextField
            className="min-w-40 flex-1"
            label={draft.topic === 'bulk-jobs' ? 'Rows' : 'Requests of one person'}
            inputMode="numeric"
            value={draft.count}
            onChange={({ target }) => onChange({ count: target.value })}
            error={problem('count', 'The number')}
          />
        )}
        <div className="sm:mt-6.5">
          <IconButton label={`Remove rule ${index + 1}`} icon={<Trash2 />} onClick={onRemove} />
        </div>
      </div>
    </fieldset>
  )
}
