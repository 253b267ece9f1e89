import { MessagePage } from '#components/layout/message-page.tsx'
import { ButtonLink } from '#components/ui/button-link.tsx'

export const metadata = { title: 'Not found' }

export default function NotFoundPage() {
  return (
    <MessagePage
      mark="404"
      title="Page not found"
      actions={
        <ButtonLink href="/" prefetch={false} variant="primary">
          Go to overview
        </ButtonLink>
      }
    >
      <p>Check the address. Pages begin with /sandbox or /production.</p>
    </MessagePage>
  )
}
