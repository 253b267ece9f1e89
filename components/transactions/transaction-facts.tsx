import { accountTitle } from '#components/card-accounts/account-labels.ts'
import { cardTitle } from '#components/cards/card-face.tsx'
import { useEnvironment } from '#components/environment/use-environment.ts'
import { MetadataList } from '#components/references/metadata-list.tsx'
import { OtherFields } from '#components/references/other-fields.tsx'
import { Amount } from '#components/ui/amount.tsx'
import { FactList, type Fact } from '#components/ui/fact-list.tsx'
import { IdText } from '#components/ui/id-text.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { TextLink } from '#components/ui/text-link.tsx'
import { Time } from '#components/ui/time.tsx'
import type { TransactionDetail } from '#lib/console/transactions/types.ts'
import { feeIntentTitle } from '#lib/contract/fee-intents.ts'
import { isUncounted } from '#lib/contract/terms.ts'
import { shortId } from '#lib/shared/ids.ts'
import { type Environment, routes } from '#lib/shared/routes.ts'
import { intentLabel, transactionStatusEntry } from './transaction-labels.ts'
import { isMadeWithCard } from './transaction-meanings.ts'

/** Ids of a transaction, and links to its account, card, fee and related entries. */
export function TransactionFacts({ detail }: { detail: TransactionDetail }) {
  const environment = useEnvironment()
  const { transaction, account } = detail
  const {
    id,
    refId,
    xid,
    xmetadata,
    cardId,
    cardLast4,
    cardEmbossedName,
    description,
    createdAt,
    postedAt,
    intent,
    status,
    grossAmount,
    currency,
  } = transaction
  const facts: Fact[] = [
    { label: 'Intent', value: intent && intentLabel(intent) },
    { label: 'Description', value: description },
    {
      label: 'Account',
      value: <TextLink href={routes.cardAccount(environment, account.id)}>{accountTitle(account)}</TextLink>,
    },
    {
      label: 'Card',
      value: cardId ? (
        <TextLink key="card" href={routes.card(environment, account.id, cardId)}>
          {cardTitle({ id: cardId, last4: cardLast4 })}
          {cardEmbossedName && <span className="text-faint"> · {cardEmbossedName}</span>}
        </TextLink>
      ) : isMadeWithCard(transaction) ? (
        cardLast4 && cardTitle({ id: '', last4: cardLast4 })
      ) : (
        'None: not made with a card'
      ),
    },
    ...feeFact(environment, detail),
    { label: 'Gross amount', value: <Amount amount={grossAmount} currency={currency} /> },
    { label: 'Recorded', value: <Time instant={createdAt} format="exact" isZoneShown /> },
    {
      label: 'Posted',
      value:
        !postedAt && isUnposted(status) ? (
          'Not posted'
        ) : (
          <Time key="posted" instant={postedAt} format="exact" isZoneShown />
        ),
    },
    { label: 'Reference', value: refId && <IdText key="ref" id={refId} label="reference" isWhole /> },
    { label: 'Transaction ID', value: <IdText id={id} label="transaction ID" isWhole /> },
    { label: 'External ID', value: xid ? <IdText key="xid" id={xid} label="external ID" isWhole /> : 'None' },
  ]
  return (
    <Panel title="Details">
      <FactList facts={facts} />
      <Related detail={detail} />
      <h3 className="mt-3 mb-1.5 border-t pt-3 font-medium">Metadata</h3>
      <MetadataList xmetadata={xmetadata} />
      <OtherFields fields={transaction.otherFields} />
    </Panel>
  )
}

/** Whether a transaction in this status has not been posted, so that there is no time to provide. */
function isUnposted(status: string | null): boolean {
  return status === 'pending' || isUncounted(status)
}

function feeFact(environment: Environment, { transaction, account, fee, missing }: TransactionDetail): Fact[] {
  if (transaction.intent !== 'fee') return []
  if (!fee) {
    return [
      {
        label: 'Fee',
        value: missing.includes('fee') ? 'could not be read' : 'no fee entry of this transaction was found',
      },
    ]
  }
  return [
    {
      label: 'Fee',
      value: (
        <TextLink key="fee" href={routes.fees(environment, { accountId: account.id, open: fee.id })}>
          {fee.intent ? feeIntentTitle(fee.intent) : `Fee ${shortId(fee.id)}`}
          {fee.status && <span className="text-faint"> · {transactionStatusEntry(fee.status).label}</span>}
        </TextLink>
      ),
    },
  ]
}

const basisTexts = {
  reference: 'Same reference',
  amount: 'Inferred from the amount, card and description',
  part: 'Inferred from card and description: perhaps a refund of part of the charge',
}

const headings = { refund: 'Refund', charge: 'Original charge' }

/** Related entries, with how certain each relation is. */
function Related({ detail }: { detail: TransactionDetail }) {
  const environment = useEnvironment()
  const { transaction, account, related, missing } = detail
  const [first] = related.entries
  const mayHave =
    transaction.intent === 'refund' || (transaction.intent === 'charge' && transaction.status === 'posted')
  if (!mayHave && !first) return null
  const heading = headings[transaction.intent === 'charge' ? 'refund' : 'charge']
  return (
    <>
      <h3 className="mt-3 mb-1.5 border-t pt-3 font-medium">{heading}</h3>
      {missing.includes('related') && <p className="text-warn">It could not be read whether there is one.</p>}
      {!missing.includes('related') && !first && (
        <p className="text-faint">None found{related.isWhole ? '' : ' among the entries checked'}.</p>
      )}
      {first && (
        <ul className="grid gap-1.5">
          {related.entries.map(({ id, description, createdAt, amount, currency, entryType }) => (
            <li key={id} className="flex flex-wrap items-baseline justify-between gap-x-3">
              <TextLink href={routes.transaction(environment, account.id, id)} className="min-w-0 wrap-anywhere">
                {description || `Transaction ${shortId(id)}`}
              </TextLink>
              <span className="ml-auto flex flex-wrap items-baseline justify-end gap-x-3">
                <Time instant={createdAt} className="text-xs text-faint" />
                <Amount amount={amount} currency={currency} entryType={entryType} />
              </span>
            </li>
          ))}
        </ul>
      )}
      {first && <p className="mt-1 text-xs text-faint">{basisTexts[first.basis]}</p>}
    </>
  )
}
