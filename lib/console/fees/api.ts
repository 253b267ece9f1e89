import 'server-only'
import { feeReads } from '#lib/api/fees.ts'
import { implement } from '#lib/gate/implement.ts'
import { listFees, readFee } from './list-fees.ts'

export const feeApi = implement(feeReads, { listFees, readFee })
