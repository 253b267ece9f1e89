import { ProgramCardsScreen } from '#components/cards/program/program-cards-screen.tsx'
import { programCardSearch } from '#lib/api/cards.ts'
import { routes } from '#lib/shared/routes.ts'
import { openDefaultView, page, read, readSearch } from '../prefetch.tsx'

export const metadata = { title: 'Cards' }

export default page(async ({ environment, search }) => {
  await openDefaultView(environment, 'cards', routes.cards(environment), search)
  const filters = await readSearch(programCardSearch, search)
  return {
    here: routes.cards(environment, search),
    reads: [read('listProgramCards', environment, filters)],
    screen: <ProgramCardsScreen />,
  }
})
