import { expect, test } from 'vitest'
import { cardDrawing } from './card-face.tsx'

const details = {
  cardOrientation: 'LANDSCAPE',
  cardWidth: '856',
  cardHeight: '540',
  cardNameFontSize: '30px',
  cardNameFontWeight: 'bold',
  cardNameLineHeight: '36',
  cardNameLetterSpacing: '1.2',
  cardNamePosition: 'BOTTOM_LEFT',
  cardNameCoordinates: [56, 478],
  cardNameColor: '#ffffff',
}
type Details = typeof details

function drawing(changes: Partial<Details> = {}, imageUrl = '/products/x.svg', embossedName = 'LEE KA YAN') {
  const cardImageDetails = { ...details, ...changes }
  return cardDrawing({
    embossedName,
    product: { id: 'p', name: 'P', imageUrl, cardType: 'physical', cardImageDetails },
  })
}

test('the name is drawn at the position, size, weight and colour of the product data', () => {
  expect(drawing().name).toMatchObject({
    x: 56,
    y: 478,
    fontSize: 30,
    fontWeight: 700,
    letterSpacing: 1.2,
    anchor: 'start',
  })
  expect(drawing().name.textLength).toBeNull()
})

test('a portrait card without sizes is taller than wide', () => {
  const { width, height } = drawing({ cardOrientation: 'PORTRAIT', cardWidth: '', cardHeight: '' })
  expect(height).toBeGreaterThan(width)
})

test('figures that make no sense are replaced, and a hostile colour is not used', () => {
  const { width, name } = drawing({
    cardWidth: '1e99',
    cardNameFontSize: 'huge',
    cardNameCoordinates: [-5, 99_999],
    cardNameColor: 'url(https://elsewhere.example/x)',
  })
  expect(width).toBe(856)
  expect(name).toMatchObject({ fontSize: 30, colour: '#ffffff' })
  expect(name.x).toBeGreaterThan(0)
  expect(name.y).toBeLessThanOrEqual(540)
})

test('a picture of another origin is left out', () => {
  expect(drawing({}, 'https://pictures.example/card.png').picture).toBeNull()
  expect(drawing({}, '//pictures.example/card.png').picture).toBeNull()
  expect(drawing().picture).toBe('/products/x.svg')
})

test('a long name is squeezed into the room that it has', () => {
  expect(drawing({}, '/x.svg', 'W'.repeat(60)).name.textLength).toBeGreaterThan(0)
})
