import { useQueryStates, type UseQueryStatesKeysMap } from 'nuqs'
import { tableParams } from './table-params.ts'

type ListParsers = UseQueryStatesKeysMap & Pick<typeof tableParams, 'pageToken'>

/**
 * What the address keeps of a list with pages. `change` sets filters and begins at the first page again; `toFirstPage` is
 * undefined where the first page is shown.
 */
export function useListParams<Parsers extends ListParsers>(parsers: Parsers) {
  const [params, setParams] = useQueryStates({ ...parsers, from: tableParams.from }, { history: 'push' })
  const change = (changes: { [Name in keyof Parsers]?: string | readonly string[] | null }) =>
    void setParams({ ...changes, pageToken: null, from: null } as Parameters<typeof setParams>[0])
  return { params, setParams, change, toFirstPage: params.pageToken ? () => change({}) : undefined }
}
