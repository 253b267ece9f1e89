import { createLoader } from 'nuqs/server'
import { deviationParams } from '#components/connection/deviation-params.ts'

export const loadDeviationParams = createLoader(deviationParams)
