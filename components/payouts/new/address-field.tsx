'use client'

import { minimumAddressLength } from '#lib/contract/payout-rules.ts'
import { EntryField } from './entry-field.tsx'
import type { PayoutForm } from './use-payout-form.ts'

/** The beneficiary's address; Chinese characters in it are shown as the pinyin that is sent. */
export function AddressField({ form, className }: { form: PayoutForm; className?: string }) {
  const pinyin = form.addressInPinyin
  return (
    <div className={className}>
      <EntryField
        form={form}
        path="destination.address"
        hint={`More than ${minimumAddressLength - 1} characters, with a space and a number. Chinese is sent as pinyin`}
      />
      <output className={pinyin === null ? 'hidden' : 'mt-1.5 block text-xs text-soft'}>
        {pinyin !== null && (
          <>
            Sent as <span className="font-medium text-ink">{pinyin}</span>
          </>
        )}
      </output>
    </div>
  )
}
