import { PageForbidden } from '#components/environment/page-forbidden.tsx'

export default function ForbiddenInEnvironment() {
  return <PageForbidden />
}
