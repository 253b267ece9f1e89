import { Forbidden } from '#components/environment/forbidden.tsx'

export const metadata = { title: 'Not permitted' }

/** An environment's frame, which shows nothing without the accounts. */
export default function ForbiddenEnvironment() {
  return <Forbidden permission="accounts.read" />
}
