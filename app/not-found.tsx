import { NotFound } from '#components/layout/dead-end.tsx'

export const metadata = { title: 'Not found' }

export default function NotFoundPage() {
  return (
    <NotFound>
      The address may be mistyped, or what it named is in the other environment: addresses begin with
      <span className="font-mono"> /sandbox</span> or <span className="font-mono">/production</span>.
    </NotFound>
  )
}
