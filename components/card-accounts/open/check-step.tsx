'use client'

import { individualLabels, individualValue, useIndividualLists } from '#components/identity/individual-fields.tsx'
import { supportingLabels } from '#components/identity/individual-labels.ts'
import { sizeText } from '#components/identity/use-individual-form.ts'
import { MetadataList } from '#components/references/metadata-list.tsx'
import { Amount } from '#components/ui/amount.tsx'
import { Button } from '#components/ui/button.tsx'
import { formatCount } from '#components/ui/count.ts'
import { type Fact, FactList } from '#components/ui/fact-list.tsx'
import type { Xmetadata } from '#lib/contract/fields.ts'
import { individualPaths, type IndividualPath } from '#lib/contract/individual-rules.ts'
import { accountTypeLabels } from '../account-labels.ts'
import { termLabels } from './account-terms.tsx'
import type { OpeningForm, Step } from './use-opening-form.ts'

/** Everything that will be sent, and what is still missing. */
export function CheckStep({ form, onGo }: { form: OpeningForm; onGo: (step: Step) => void }) {
  const { lists } = useIndividualLists()
  const { individual } = form
  const { name, phoneNumber, accountType, currency, limit, xid, xmetadata } = form.request()
  const fact = (path: IndividualPath): Fact => ({
    label: individualLabels[path],
    value: individualValue(path, individual.entry[path], lists),
  })
  const documents = individual.documentTypes.map((type) => ({
    label: supportingLabels[type],
    value: `${individual.files[type]?.name ?? ''} · ${sizeText(individual.files[type]?.bytes ?? 0)}`,
  }))
  const isDocument = (path: IndividualPath) => path.startsWith('document.')
  return (
    <div className="grid gap-5">
      <Section title="Cardholder" step="cardholder" form={form} onGo={onGo}>
        <FactList facts={individualPaths.filter((path) => !isDocument(path)).map(fact)} />
      </Section>
      <Section title="Documents" step="documents" form={form} onGo={onGo}>
        <FactList
          facts={[
            ...individualPaths.filter(isDocument).map(fact),
            ...(documents.length > 0 ? documents : [{ label: 'Supporting documents', value: 'None' }]),
          ]}
        />
      </Section>
      <Section title="Account" step="account" form={form} onGo={onGo}>
        <FactList
          facts={[
            { label: termLabels.name, value: name },
            { label: termLabels.phoneNumber, value: phoneNumber },
            { label: termLabels.accountType, value: accountTypeLabels[accountType] },
            { label: termLabels.currency, value: currency },
            accountType === 'credit' && {
              label: termLabels.limit,
              value: limit && <Amount amount={limit} currency={currency} />,
            },
            { label: termLabels.xid, value: xid || 'None' },
            xmetadata === '' && { label: termLabels.xmetadata, value: 'None' },
          ]}
        />
        {xmetadata !== '' && <MetadataList xmetadata={JSON.parse(xmetadata) as Xmetadata} />}
      </Section>
    </div>
  )
}

function Section({
  title,
  step,
  form,
  onGo,
  children,
}: {
  title: string
  step: Step
  form: OpeningForm
  onGo: (step: Step) => void
  children: React.ReactNode
}) {
  const problems = form.listProblems(step).length
  return (
    <section aria-label={title}>
      <div className="mb-2 flex flex-wrap items-center gap-2">
        <h3 className="font-medium">{title}</h3>
        {problems > 0 && (
          <span className="text-xs text-bad">
            {formatCount(problems, 'field needs attention', 'fields need attention')}
          </span>
        )}
        <Button
          size="small"
          className="ml-auto"
          aria-label={`Edit ${title.toLowerCase()}`}
          aria-invalid={problems > 0 ? true : undefined}
          onClick={() => onGo(step)}
        >
          Edit
        </Button>
      </div>
      {children}
    </section>
  )
}
