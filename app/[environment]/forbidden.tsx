import { Forbidden } from '#components/layout/dead-end.tsx'

export default function ForbiddenInEnvironment() {
  return <Forbidden isInShell />
}
