import { MessageLink, MessagePage } from '#components/layout/message-page.tsx'

export const metadata = { title: 'Not permitted' }

/** An environment that the person's role has no access to. */
export default function ForbiddenEnvironment() {
  return (
    <MessagePage
      mark="403"
      title="You can’t open this environment"
      actions={<MessageLink href="/">Go to Home</MessageLink>}
    >
      <p>Your role has no access to it. An admin can change your role.</p>
    </MessagePage>
  )
}
