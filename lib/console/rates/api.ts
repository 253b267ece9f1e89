import 'server-only'
import { rateReads } from '#lib/api/rates.ts'
import { implement } from '#lib/gate/implement.ts'
import { readRateHistory } from './history.ts'
import { readRates } from './read.ts'

export const rateApi = implement(rateReads, { readRates, readRateHistory })
