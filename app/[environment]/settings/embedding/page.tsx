import { EmbeddingScreen } from '#components/embed/embedding-screen.tsx'
import { routes } from '#lib/shared/routes.ts'
import { page, read } from '../../prefetch.tsx'

export const metadata = { title: 'Embedding' }

export default page(({ environment }) => ({
  here: routes.embedding(environment),
  reads: [read('readEmbedSettings', environment)],
  screen: <EmbeddingScreen />,
}))
