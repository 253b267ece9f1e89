import type { products as productTable } from '../tables/cards.ts'
import { seededRandom } from './random.ts'

type Product = typeof productTable.$inferInsert

/** Lengths are pixels of the picture; `cardNameCoordinates` is the left end of the name's base line, x then y. */
function pictured(name: string, file: string, cardType: Product['cardType'], cardNameColor: string): Product {
  return {
    id: seededRandom(`product:${file}`).uuid(),
    name,
    imageUrl: `/products/${file}.svg`,
    cardType,
    cardImageDetails: {
      cardOrientation: 'LANDSCAPE',
      cardWidth: '856',
      cardHeight: '540',
      cardNameFontSize: '30',
      cardNameFontWeight: '500',
      cardNameLineHeight: '36',
      cardNameLetterSpacing: '1.2',
      cardNamePosition: 'BOTTOM_LEFT',
      cardNameCoordinates: [56, 478],
      cardNameColor,
    },
  }
}

/** The card products of the program. Their presence in the database is the mark of a seeded service. */
export const products = {
  everyday: pictured('Corporate Everyday', 'corporate-everyday', 'physical', '#ffffff'),
  travel: pictured('Travel Companion', 'travel-companion', 'physical', '#ffffff'),
  online: pictured('Online Purchase', 'online-purchase', 'virtual', '#ffffff'),
  project: pictured('Project Budget', 'project-budget', 'virtual', '#1f2a28'),
} satisfies Record<string, Product>

export type ProductName = keyof typeof products
