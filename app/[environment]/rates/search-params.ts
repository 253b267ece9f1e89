import { createLoader } from 'nuqs/server'
import { rateParams } from '#components/rates/rate-params.ts'

export const loadRateParams = createLoader(rateParams)
