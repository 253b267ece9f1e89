import { MessageLink, MessagePage } from '#components/layout/message-page.tsx'

export const metadata = { title: 'Not found' }

export default function NotFoundPage() {
  return (
    <MessagePage mark="404" title="Page not found" actions={<MessageLink href="/">Go to Home</MessageLink>}>
      <p>Check the address. Pages begin with /sandbox or /production.</p>
    </MessagePage>
  )
}
