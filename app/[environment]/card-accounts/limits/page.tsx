import { draftSearch, limitLineList } from '#components/limits/limits-params.ts'
import { LimitsScreen } from '#components/limits/limits-screen.tsx'
import { routes } from '#lib/shared/routes.ts'
import { page, read } from '../../prefetch.tsx'

export const metadata = { title: 'Limits by CSV' }

export default page(({ environment, search }) => {
  return {
    here: routes.limits(environment, search),
    reads: [read('readLimitDraft', environment, draftSearch(limitLineList.load(search)))],
    screen: <LimitsScreen />,
  }
})
