import { defineListParams } from '#components/filters/list-params.ts'
import { transactionSearch } from '#lib/api/transactions.ts'

export const transactionList = defineListParams(transactionSearch)
