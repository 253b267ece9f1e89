import { IdentityCaseScreen } from '#components/identity/identity-case-screen.tsx'
import { routes } from '#lib/shared/routes.ts'
import { page, read } from '../../prefetch.tsx'

export const metadata = { title: 'Identity case' }

export default page<'cardAccountId'>(({ environment, cardAccountId }) => ({
  here: routes.identityCase(environment, cardAccountId),
  reads: [read('readIdentityCase', environment, cardAccountId)],
  screen: <IdentityCaseScreen cardAccountId={cardAccountId} />,
}))
