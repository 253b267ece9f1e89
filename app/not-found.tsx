import { MessagePage } from '#components/layout/message-page.tsx'
import { ButtonLink } from '#components/ui/button-link.tsx'

export const metadata = { title: 'Not found' }

export default function NotFoundPage() {
  return (
    <MessagePage
      mark="404"
      title="There is nothing at this address"
      actions={
        <ButtonLink href="/" prefetch={false} variant="primary">
          To the overview
        </ButtonLink>
      }
    >
      <p>
        The address may be mistyped, or what it named is in the other environment: addresses begin with
        <span className="font-mono"> /sandbox</span> or <span className="font-mono">/production</span>.
      </p>
    </MessagePage>
  )
}
