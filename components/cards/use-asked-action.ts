'use client'

import { parseAsStringLiteral, useQueryState } from 'nuqs'
import { useEffect } from 'react'
import { cardActions } from '#lib/contract/card-transitions.ts'
import type { OfferedAction } from './use-card-actions.tsx'

/** `?action=lock` opens that dialog once, where the action is possible now. An address can ask; a person decides. */
export function useAskedAction(actions: readonly OfferedAction[], isPersonKnown: boolean): void {
  const [asked, setAsked] = useQueryState('action', parseAsStringLiteral(cardActions))
  useEffect(() => {
    if (asked === null || !isPersonKnown) return
    void setAsked(null)
    const action = actions.find(({ row }) => row.id === asked)
    if (action && action.unavailable === undefined) action.open()
  }, [asked, setAsked, actions, isPersonKnown])
}
