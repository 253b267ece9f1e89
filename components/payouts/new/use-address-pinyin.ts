'use client'

import { useEffect, useMemo, useState } from 'react'
import { hasChinese } from '#lib/contract/payout-rules.ts'

type Convert = (address: string) => string

/** An address with Chinese characters as it is sent, in pinyin. Null for any other, and until the dictionary is loaded. */
export function useAddressPinyin(address: string): string | null {
  const [convert, setConvert] = useState<Convert | null>(null)
  const isWanted = hasChinese(address)

  useEffect(() => {
    if (!isWanted || convert) return
    let isStale = false
    // The dictionary is large: it comes with the first Chinese character.
    const load = async () => {
      const { addressInPinyin } = await import('#lib/contract/pinyin.ts')
      if (!isStale) setConvert(() => addressInPinyin)
    }
    load().catch(() => undefined)
    return () => {
      isStale = true
    }
  }, [isWanted, convert])

  return useMemo(() => (isWanted && convert ? convert(address) : null), [address, isWanted, convert])
}
