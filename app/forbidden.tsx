import { MessagePage } from '#components/layout/message-page.tsx'
import { ButtonLink } from '#components/ui/button-link.tsx'

export const metadata = { title: 'Not permitted' }

export default function ForbiddenPage() {
  return (
    <MessagePage
      mark="403"
      title="Your role does not include this page"
      actions={
        <ButtonLink href="/" prefetch={false} variant="primary">
          To the overview
        </ButtonLink>
      }
    >
      <p>Nothing was changed. An admin can give you a role that includes it; it counts from your next click on.</p>
    </MessagePage>
  )
}
