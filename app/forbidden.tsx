import { Forbidden } from '#components/layout/dead-end.tsx'

export const metadata = { title: 'Not permitted' }

export default function ForbiddenPage() {
  return <Forbidden />
}
