import { NotFound } from '#components/layout/dead-end.tsx'

export default function NotFoundInEnvironment() {
  return (
    <NotFound isInShell>
      The service knows no such card account or card in this environment. The id may be mistyped, or belong to the other
      environment: addresses begin with <span className="font-mono">/sandbox</span> or{' '}
      <span className="font-mono">/production</span>.
    </NotFound>
  )
}
