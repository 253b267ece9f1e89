import { notFound } from 'next/navigation'

/** A path that is no page: the environment's frame stays around its 404. */
export default function MissingPage() {
  notFound()
}
