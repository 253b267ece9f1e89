'use client'

import { PageFailure } from '#components/layout/page-failure.tsx'

export default function ErrorPage({ error, retry }: { error: unknown; retry: () => void }) {
  return <PageFailure error={error} retry={retry} />
}
