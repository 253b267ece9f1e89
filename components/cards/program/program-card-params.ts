import { defineListParams } from '#components/filters/list-params.ts'
import { programCardSearch } from '#lib/api/cards.ts'

export const programCardList = defineListParams(programCardSearch)
