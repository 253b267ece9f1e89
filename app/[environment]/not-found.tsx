import { Missing } from '#components/environment/missing.tsx'

export default function NotFoundInEnvironment() {
  return <Missing />
}
