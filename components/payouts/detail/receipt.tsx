import type { ReactNode } from 'react'
import { useEnvironment } from '#components/environment/use-environment.ts'
import { Logo } from '#components/layout/logo.tsx'
import { PairRate } from '#components/rates/rate-text.tsx'
import { findEntry } from '#components/ui/code-entry.ts'
import type { Fact } from '#components/ui/fact-list.tsx'
import { isMissing } from '#components/ui/not-provided.tsx'
import { usePageZone } from '#components/ui/page-zone.tsx'
import { Time } from '#components/ui/time.tsx'
import type { PayoutDetail } from '#lib/console/payouts/types.ts'
import { isToCard } from '#lib/contract/payout-rules.ts'
import { formatAmount } from '#lib/shared/currency.ts'
import { clockParts } from '#lib/shared/wall-clock.ts'
import type { ReceiptTexts } from './receipt-texts.ts'

/** Printed receipt of a payout, in the language of the texts. */
export function Receipt({ detail, texts }: { detail: PayoutDetail; texts: ReceiptTexts }) {
  const environment = useEnvironment()
  const { payout, freshness } = detail
  const name = beneficiaryIn(texts, detail)
  const status = codeIn(texts, texts.statuses, payout.status)
  // An unknown step may take back what the status says: a payment that was completed, and returned since.
  const step = payout.subStatus && !findEntry(texts.steps, payout.subStatus) ? payout.subStatus : null
  const [before, after] = (freshness.source === 'service' ? texts.asOf : texts.notResponding).split('{time}')
  return (
    <article
      lang={texts.tag}
      aria-label={withName(
        payout.status === 'completed' && step === null ? texts.receiptOf : texts.confirmationOf,
        name,
      )}
      className="mx-auto w-full max-w-[46rem] rounded-panel border bg-surface px-5 py-6 sm:px-10 sm:py-8 print:max-w-none print:border-0 print:p-0"
    >
      <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          <h2 className="text-lg font-semibold wrap-anywhere">{withName(texts.title, name)}</h2>
          <p className="text-soft">
            <span className="font-medium text-ink">
              {status.label}
              {texts.fullStop}
            </span>{' '}
            {step === null ? status.meaning : `${step}${texts.fullStop} ${texts.unknownCode}`}
          </p>
        </div>
        <Logo />
      </header>
      {environment === 'sandbox' && (
        <p className="mt-3 rounded-control border border-dashed px-3 py-1.5 font-medium">{texts.testData}</p>
      )}
      {receiptSections(texts, detail).map(({ title, facts }) => (
        <section key={title} className="mt-6 break-inside-avoid">
          <h3 className="mb-1.5 border-b pb-1.5 font-medium">{title}</h3>
          <Facts facts={facts.filter(({ value }) => !isMissing(value))} />
        </section>
      ))}
      <footer className="mt-6 border-t pt-3 text-xs text-soft">
        {before}
        <ReceiptTime texts={texts} instant={freshness.asOf} />
        {after}
      </footer>
    </article>
  )
}

/** The name of the beneficiary, or the number of the account. */
function beneficiaryIn(texts: ReceiptTexts, { payout: { destination } }: PayoutDetail): string {
  return destination.accountHolderName || destination.accountNumber || texts.unnamedBeneficiary
}

function withName(text: string, name: string): string {
  return text.replace('{name}', () => name)
}

type Table = Readonly<Record<string, ReceiptTexts['missingCode']>>

function codeIn({ missingCode, unknownCode }: ReceiptTexts, table: Table, code: string | null) {
  if (isMissing(code)) return missingCode
  return findEntry(table, code) ?? { label: code, meaning: unknownCode }
}

/** An instant with its zone. Written from numbers, so that the server and every browser write the same text. */
function ReceiptTime({ texts, instant }: { texts: ReceiptTexts; instant: string }) {
  const zone = usePageZone()
  if (texts.isEnglish) return <Time instant={instant} format="exact" isZoneShown />
  const { year, month, day, hour, minute, second } = clockParts(Date.parse(instant), zone.name)
  return (
    <time dateTime={instant}>
      {`${year}/${month}/${day} ${hour}:${minute}:${second} ${zone.choice === 'hkt' ? texts.hongKongTime : zone.name}`}
    </time>
  )
}

/** Label and value are close together, because a printed page has no pointer. */
function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="grid gap-y-1 sm:grid-cols-[10rem_minmax(0,1fr)] print:grid-cols-[12rem_minmax(0,1fr)]">
      {facts.map(({ label, value }) => (
        <div key={label} className="contents">
          <dt className="text-soft max-sm:mt-1">{label}</dt>
          <dd className="min-w-0 wrap-anywhere">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** The facts of a receipt; those that are missing are left out where it is drawn. */
function receiptSections(
  texts: ReceiptTexts,
  { payout, fundingAccountName }: PayoutDetail,
): { title: string; facts: Fact[] }[] {
  const { destination, method, sourceCurrency, destinationCurrency, rate } = payout
  const isCard = isToCard(payout)
  const number = destination.accountNumber
  const { country } = destination
  const time = (instant: string | null) =>
    Number.isNaN(Date.parse(instant ?? '')) ? null : <ReceiptTime texts={texts} instant={instant ?? ''} />
  const reason = payout.cancellationReason || (payout.status === 'cancelled' ? texts.noReason : null)
  return [
    {
      title: texts.amounts,
      facts: [
        { label: texts.fromAccount, value: amountIn(texts, payout.sourceAmount, sourceCurrency) },
        { label: texts.toBeneficiary, value: amountIn(texts, payout.destinationAmount, destinationCurrency) },
        {
          label: texts.rate,
          value: rate && sourceCurrency && destinationCurrency && (
            <PairRate source={sourceCurrency} destination={destinationCurrency} rate={rate} />
          ),
        },
        { label: texts.fundingAccount, value: fundingAccountName },
        { label: texts.fundingAccountId, value: mono(payout.accountId) },
      ],
    },
    {
      title: texts.beneficiary,
      facts: [
        { label: texts.name, value: destination.accountHolderName },
        {
          label: isCard ? texts.cardNumber : texts.accountNumber,
          value: mono(number && isCard ? `•••• ${number}` : number),
        },
        { label: texts.bank, value: destination.bankName },
        { label: texts.bankAddress, value: destination.bankAddress },
        { label: texts.wireCode, value: mono(destination.wireCode) },
        { label: texts.routingNumber, value: mono(destination.routingNumber) },
        { label: texts.country, value: country && (findEntry(texts.countries, country) ?? country) },
        { label: texts.address, value: destination.accountHolderAddress },
      ],
    },
    {
      title: texts.payout,
      facts: [
        { label: texts.payoutId, value: mono(payout.id) },
        { label: texts.externalId, value: mono(payout.xid) },
        { label: texts.method, value: method && (findEntry<string>(texts.methods, method) ?? method) },
        { label: texts.status, value: payout.status && codeIn(texts, texts.statuses, payout.status).label },
        { label: texts.subStatus, value: payout.subStatus && codeIn(texts, texts.steps, payout.subStatus).label },
        { label: texts.reason, value: reason },
        { label: texts.created, value: time(payout.created) },
        { label: texts.lastChanged, value: time(payout.updated) },
      ],
    },
  ]
}

function amountIn(
  { tag, currencyNotProvided }: ReceiptTexts,
  amount: string | null,
  currency: string | null,
): ReactNode {
  if (!amount) return null
  return (
    <span className="font-medium tabular-nums">
      {formatAmount(amount, currency, { tag })} {currency || currencyNotProvided}
    </span>
  )
}

function mono(text: string | null): ReactNode {
  return text && <span className="font-mono text-xs">{text}</span>
}
