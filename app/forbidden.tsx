import { Forbidden } from '#components/environment/forbidden.tsx'

export const metadata = { title: 'Not permitted' }

export default function ForbiddenPage() {
  return <Forbidden />
}
