import 'server-only'
import { homeReads } from '#lib/api/home.ts'
import { readServiceClockForScreen } from '#lib/environments/control-plane.ts'
import { readServiceHealth } from '#lib/environments/health.ts'
import { implement } from '#lib/gate/implement.ts'
import { readMyWork } from './my-work.ts'
import { readOverview } from './overview.ts'
import { changeView, deleteView, listSavedViews, saveView } from './saved-views.ts'
import { searchConsole } from './search/search.ts'
import { readTrends } from './trends.ts'

export const homeApi = implement(homeReads, {
  readOverview,
  searchConsole,
  readMyWork,
  readTrends,
  listSavedViews,
  readServiceHealth,
  readServiceClockForScreen,
})

export const homeHandlers = { saveView, changeView, deleteView }
