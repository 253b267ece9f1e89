'use client'

import { HandCoins } from 'lucide-react'
import { useEffect, useMemo } from 'react'
import { useOfferedCommands } from '#components/environment/offered-commands.tsx'
import { feeCount } from './fee-words.ts'

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
  const { offer } = useOfferedCommands()
  const commands = useMemo(
    () =>
      mayWaive
        ? [
            ...(chosen > 0
              ? [{ id: 'fees-waive-chosen', label: `Waive ${feeCount(chosen)} chosen`, onSelect: waiveChosen }]
              : []),
            { id: 'fees-waive-matching', label: 'Waive all fees that match', onSelect: waiveMatching },
          ].map((command) => ({ ...command, group: 'Fees', icon: <HandCoins />, keywords: 'bulk' }))
        : [],
    // The functions change with every render; what is offered changes with the key.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
    [mayWaive, chosen, key],
  )
  useEffect(() => offer(commands), [offer, commands])
}
