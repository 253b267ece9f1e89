import { defineListParams } from '#components/filters/list-params.ts'
import { programTransactionSearch } from '#lib/api/transactions.ts'

export const programTransactionList = defineListParams(programTransactionSearch)
