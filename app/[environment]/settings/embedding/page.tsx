import { HydrationBoundary } from '@tanstack/react-query'
import { EmbeddingScreen } from '#components/embed/embedding-screen.tsx'
import { routes } from '#lib/shared/routes.ts'
import { environmentOf, prefetch, read } from '../../prefetch.ts'

export const metadata = { title: 'Embedding' }

export default async function EmbeddingPage({ params }: PageProps<'/[environment]/settings/embedding'>) {
  const environment = environmentOf((await params).environment)
  const state = await prefetch(routes.embedding(environment), read('readEmbedSettings', environment))
  return (
    <HydrationBoundary state={state}>
      <EmbeddingScreen environment={environment} />
    </HydrationBoundary>
  )
}
