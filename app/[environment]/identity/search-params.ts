import { createLoader } from 'nuqs/server'
import { identityParams } from '#components/identity/identity-params.ts'

export const loadIdentityParams = createLoader(identityParams)
