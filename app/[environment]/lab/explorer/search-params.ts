import { createLoader } from 'nuqs/server'
import { explorerParams } from '#components/lab/explorer/explorer-params.ts'

export const loadExplorerParams = createLoader(explorerParams)
