import 'server-only'
import { identityReads } from '#lib/api/identity.ts'
import { implement } from '#lib/gate/implement.ts'
import { listIndividualLists } from './individual.ts'
import { listIdentities, readIdentityCase } from './read.ts'

export const identityApi = implement(identityReads, { listIdentities, listIndividualLists, readIdentityCase })
