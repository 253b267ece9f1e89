import { MessagePage } from '#components/layout/message-page.tsx'
import { ButtonLink } from '#components/ui/button-link.tsx'

export default function NotFoundInEnvironment() {
  return (
    <MessagePage
      isInShell
      mark="404"
      title="There is nothing at this address"
      actions={
        <ButtonLink href="/" prefetch={false} variant="primary">
          To the overview
        </ButtonLink>
      }
    >
      <p>
        The service knows no such card account or card in this environment. The id may be mistyped, or belong to the
        other environment: addresses begin with <span className="font-mono">/sandbox</span> or{' '}
        <span className="font-mono">/production</span>.
      </p>
    </MessagePage>
  )
}
