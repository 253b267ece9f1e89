import { Forbidden } from '#components/environment/forbidden.tsx'

export default function ForbiddenInEnvironment() {
  return <Forbidden isInShell />
}
