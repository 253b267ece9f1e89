import 'server-only'
import { cardReads } from '#lib/api/cards.ts'
import { implement } from '#lib/gate/implement.ts'
import { readCard } from './detail.ts'
import { listCardProducts } from './issue.ts'
import { listProgramCards } from './list-program-cards.ts'
import { revealCard } from './reveal.ts'

export const cardApi = implement(cardReads, { readCard, listCardProducts, listProgramCards })

export const cardHandlers = { revealCard }
