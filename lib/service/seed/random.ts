/** A deterministic source of choices: the same name gives the same choices on every machine. */
export type Random = {
  /** 0 to 2^32 − 1. */
  next: () => number
  /** Both ends included. */
  between: (lowest: number, highest: number) => number
  chance: (percent: number) => boolean
  pick: <Item>(items: readonly Item[]) => Item
  digits: (count: number) => string
  uuid: () => string
}

const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** sfc32, started from the name by xmur3: small, fast, and good enough for choosing; nothing secret comes from it. */
export function seededRandom(name: string): Random {
  const seed = mixed(name)
  let a = seed()
  let b = seed()
  let c = seed()
  let counter = 1
  const next = () => {
    const result = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + result) | 0
    return result >>> 0
  }
  for (let round = 0; round < 12; round++) next()

  const between = (lowest: number, highest: number) => lowest + (next() % (highest - lowest + 1))
  return {
    next,
    between,
    chance: (percent) => next() % 100 < percent,
    pick: (items) => {
      const item = items[next() % items.length]
      if (item === undefined) throw new TypeError('nothing to pick from')
      return item
    },
    digits: (count) => {
      let text = ''
      while (text.length < count) text += String(next() % 1_000_000).padStart(6, '0')
      return text.slice(0, count)
    },
    uuid: () => {
      const words = [next(), (next() & 0xffff_0fff) | 0x4000, (next() & 0x3fff_ffff) | 0x8000_0000, next()]
      const text = words.map(
        (word) => `${hex[(word >>> 24) & 255]}${hex[(word >>> 16) & 255]}${hex[(word >>> 8) & 255]}${hex[word & 255]}`,
      )
      const [first = '', second = '', third = '', fourth = ''] = text
      return `${first}-${second.slice(0, 4)}-${second.slice(4)}-${third.slice(0, 4)}-${third.slice(4)}${fourth}`
    },
  }
}

function mixed(name: string): () => number {
  let state = 1_779_033_703 ^ name.length
  for (let index = 0; index < name.length; index++) {
    state = Math.imul(state ^ name.charCodeAt(index), 3_432_918_353)
    state = (state << 13) | (state >>> 19)
  }
  return () => {
    state = Math.imul(state ^ (state >>> 16), 2_246_822_507)
    state = Math.imul(state ^ (state >>> 13), 3_266_489_909)
    state ^= state >>> 16
    return state >>> 0
  }
}
