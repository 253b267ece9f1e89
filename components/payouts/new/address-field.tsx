'use client'

import { useEffect, useState } from 'react'
import { minimumAddressLength } from '#lib/contract/payout-rules.ts'
import { EntryField } from './entry-field.tsx'
import type { PayoutForm } from './use-payout-form.ts'

const chinese = /\p{Script=Han}/u

/** The beneficiary's address; Chinese characters in it are shown as the pinyin that is sent. */
export function AddressField({ form, className }: { form: PayoutForm; className?: string }) {
  const address = form.draft['destination.address'] ?? ''
  const [shown, setShown] = useState<{ address: string; pinyin: string } | null>(null)
  const hasChinese = chinese.test(address)

  useEffect(() => {
    if (!hasChinese) return
    let isStale = false
    // The dictionary is large: it comes with the first Chinese character.
    const show = async () => {
      const { addressInPinyin } = await import('#lib/contract/pinyin.ts')
      if (!isStale) setShown({ address, pinyin: addressInPinyin(address) })
    }
    show().catch(() => undefined)
    return () => {
      isStale = true
    }
  }, [address, hasChinese])

  return (
    <div className={className}>
      <EntryField
        form={form}
        path="destination.address"
        hint={`Chinese or English, longer than ${minimumAddressLength - 1} characters, with a space and a digit`}
      />
      <output className={hasChinese ? 'mt-1.5 block text-xs text-soft' : 'hidden'}>
        {hasChinese && shown && (
          <>
            Sent as <span className="font-medium text-ink">{shown.pinyin}</span>
          </>
        )}
      </output>
    </div>
  )
}
