'use client'

import { HandCoins } from 'lucide-react'
import { useOffer } from '#components/layout/offered-commands.tsx'
import { feeCount } from './fee-labels.ts'

/** Offers in the palette what the list offers now. `key` changes whenever what is chosen or matches does. */
export function useFeeCommands({
  mayWaive,
  chosen,
  key,
  waiveChosen,
  waiveMatching,
}: {
  mayWaive: boolean
  chosen: number
  key: string
  waiveChosen: () => void
  waiveMatching: () => void
}): void {
  const forChosen = {
    id: 'fees-waive-chosen',
    label: `Waive ${feeCount(chosen)} chosen`,
    onSelect: waiveChosen,
  }
  const forMatching = { id: 'fees-waive-matching', label: 'Waive all fees that can be waived', onSelect: waiveMatching }
  const offered = mayWaive ? [...(chosen > 0 ? [forChosen] : []), forMatching] : []
  useOffer(
    `${mayWaive} ${chosen} ${key}`,
    offered.map((command) => ({ ...command, group: 'Fees', icon: <HandCoins />, keywords: 'bulk' })),
  )
}
