'use client'

import { PageFailure } from '#components/layout/page-failure.tsx'

export default function ErrorInEnvironment({ error, retry }: { error: unknown; retry: () => void }) {
  return <PageFailure error={error} retry={retry} isInShell />
}
