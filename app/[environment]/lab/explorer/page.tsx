import { createLoader } from 'nuqs/server'
import { explorerParams } from '#components/qa/explorer/explorer-params.ts'
import { ExplorerScreen } from '#components/qa/explorer/explorer-screen.tsx'
import { routes } from '#lib/shared/routes.ts'
import { page, read, readPart } from '../../prefetch.tsx'

export const metadata = { title: 'API explorer' }

export default page(({ environment, search }) => {
  const { endpoint } = createLoader(explorerParams)(search)
  return {
    here: routes.explorer(environment, search),
    reads: [
      ...(search.sandbox ? [] : [read('readExplorer', environment)]),
      ...(endpoint ? [readPart('readExplorerEndpoint', environment, endpoint)] : []),
    ],
    screen: <ExplorerScreen />,
  }
})
