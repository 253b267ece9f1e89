import { createLoader } from 'nuqs/server'
import { cardAccountParams } from '#components/card-accounts/filter-params.ts'

export const loadCardAccountParams = createLoader(cardAccountParams)
