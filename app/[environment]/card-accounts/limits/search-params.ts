import { createLoader } from 'nuqs/server'
import { limitsParams } from '#components/limits/limits-params.ts'

export const loadLimitsParams = createLoader(limitsParams)
