'use client'

import { Languages, Printer } from 'lucide-react'
import { useEnvironment, useRead } from '#components/environment/use-environment.ts'
import { WhenRead } from '#components/environment/when-read.tsx'
import { ButtonLink } from '#components/ui/button-link.tsx'
import { Button } from '#components/ui/button.tsx'
import { PageHeader } from '#components/ui/page.tsx'
import type { PayoutDetail } from '#lib/console/payouts/types.ts'
import { routes } from '#lib/shared/routes.ts'
import { beneficiaryName } from '../payout-labels.ts'
import type { ReceiptTexts } from './receipt-texts.ts'
import { Receipt } from './receipt.tsx'

/** A payout's facts as the service has them now, for paper: the frame around it is not printed. */
export function PayoutReceiptScreen({ payoutId, texts }: { payoutId: string; texts: ReceiptTexts }) {
  const payout = useRead('readPayout', payoutId)
  return (
    <WhenRead query={payout} what="The payout" blocks={['mx-auto h-96 max-w-[46rem]']}>
      {(detail) => (
        <div className="grid min-w-0 gap-5">
          <Header detail={detail} isEnglish={texts.isEnglish} />
          <Receipt detail={detail} texts={texts} />
        </div>
      )}
    </WhenRead>
  )
}

function Header({ detail: { payout }, isEnglish }: { detail: PayoutDetail; isEnglish: boolean }) {
  const environment = useEnvironment()
  const isPaid = payout.status === 'completed'
  return (
    <div className="print:hidden">
      <PageHeader
        title={isPaid ? 'Payout receipt' : 'Payout confirmation'}
        label={isPaid ? 'Receipt' : 'Confirmation'}
        above={[
          { label: 'Payouts', href: routes.payouts(environment) },
          { label: `Payout to ${beneficiaryName(payout.destination)}`, href: routes.payout(environment, payout.id) },
        ]}
        actions={
          <>
            <ButtonLink
              href={routes.payoutReceipt(environment, payout.id, isEnglish ? { lang: 'zh-Hant' } : {})}
              icon={<Languages aria-hidden="true" />}
            >
              {isEnglish ? 'Show in Chinese' : 'Show in English'}
            </ButtonLink>
            <Button variant="primary" icon={<Printer aria-hidden="true" />} onClick={() => window.print()}>
              Print or save as PDF
            </Button>
          </>
        }
      />
    </div>
  )
}
