import { ScenariosScreen } from '#components/qa/scenarios/scenarios-screen.tsx'
import { routes } from '#lib/shared/routes.ts'
import { page, read } from '../../prefetch.tsx'

export const metadata = { title: 'Scenarios' }

export default page(({ environment, search }) => ({
  here: routes.scenarios(environment, search),
  // The browser reads those of a sandbox of its own.
  reads: [read('listSandboxes', environment), ...(search.sandbox ? [] : [read('listScenarios', environment)])],
  screen: <ScenariosScreen />,
}))
