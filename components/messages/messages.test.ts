import { readFileSync } from 'node:fs'
import { Converter } from 'opencc-js'
import { expect, test } from 'vitest'
import { parseAst } from 'vitest/node'
import { reasonEntry } from '#components/identity/rejection-reasons.ts'
import { formatTime, hktZone } from '#components/ui/time-format.ts'
import { operationKinds } from '#lib/api/actions.ts'
import { declineReasons } from '#lib/contract/sandbox.ts'
import { rejectionReasons } from '#lib/contract/terms.ts'
import { merchants } from '#lib/service/seed/merchants.ts'
import { asFields } from '#lib/shared/json.ts'
import { toLanguage } from '#lib/shared/locale.ts'
import { messagesIn } from './catalogue.ts'
import { createWriter } from './writer.ts'

const [english, chinese] = [messagesIn('en'), messagesIn('zh-Hant')]

/** Each text of a catalogue by its path. A function is called with a figure for each of its parameters. */
function listTexts(node: unknown, path = ''): [path: string, text: string][] {
  if (typeof node === 'string') return [[path, node]]
  if (typeof node === 'function') return [[path, String(node(...Array.from({ length: node.length }, () => '7')))]]
  return Object.entries(node as object).flatMap(([key, value]) => listTexts(value, path ? `${path}.${key}` : key))
}

/** These return what the service sent, where they do not know it. */
const asSent = ['nameOf', 'operation', 'rejection', 'rejectionDocument', 'country', 'category', 'cancellation']

test('both languages have the same keys, and none is empty', () => {
  const keysOf = (messages: unknown) =>
    listTexts(messages)
      .map(([path]) => path)
      .toSorted()
  expect(keysOf(chinese)).toEqual(keysOf(english))
  for (const [path, text] of [...listTexts(english), ...listTexts(chinese)]) expect(text, path).toMatch(/\S/)
})

test('a Chinese text is written in traditional characters, without English words', () => {
  const toTraditional = Converter({ from: 'cn', to: 't' })
  const notTranslated = listTexts(chinese).filter(([path, text]) => {
    if (asSent.includes(path)) return false
    const words = text.replaceAll(/\{\w+\}/g, '').match(/[A-Za-z]{2,}/g) ?? []
    return words.some((word) => !['Carddesk', 'PIN'].includes(word)) || !/[\p{Script=Han}：、。]/u.test(text)
  })
  expect(notTranslated).toEqual([])
  const source = ['zh-hant', 'decline-zh-hant', 'category-zh-hant']
    .map((file) => readFileSync(`components/messages/${file}.ts`, 'utf8'))
    .join('')
  const simplified = [...new Set(source.match(/\p{Script=Han}/gu))].filter((sign) => toTraditional(sign) !== sign)
  // Of 台灣, as Hong Kong writes it.
  expect(simplified).toEqual(['台'])
})

test('texts with words in braces name the same values in both languages', () => {
  const valuesOf = (text: string) => text.match(/\{\w+\}/g)?.toSorted() ?? []
  const texts = { ...chinese.frame, ...chinese.receipt }
  for (const [key, text] of Object.entries({ ...english.frame, ...english.receipt })) {
    expect(valuesOf(texts[key as keyof typeof texts]), key).toEqual(valuesOf(text))
  }
})

test('every kind of operation, decline and rejection has a Chinese text, and an unknown one is shown as sent', () => {
  for (const kind of operationKinds) expect(chinese.operation(kind), kind).toMatch(/\p{Script=Han}/u)
  for (const { responseCode, responseMessage } of Object.values(declineReasons)) {
    expect(chinese.decline(responseMessage, responseCode)).toMatch(
      new RegExp(`^[PIN \\p{Script=Han}]+（${responseMessage}，回應代碼 ${responseCode}）$`, 'u'),
    )
  }
  expect(chinese.decline('Not today', 'ZZ')).toBe('Not today，回應代碼 ZZ')
  expect(chinese.decline('Not today', 'constructor')).toBe('Not today，回應代碼 constructor')
  expect(chinese.operation('constructor')).toBeUndefined()
  expect(chinese.decline(undefined, undefined)).toBe('沒有提供原因')
  for (const reason of rejectionReasons) {
    expect(chinese.rejection(reason)).toContain(`（${reason}）`)
    expect(chinese.rejectionDocument(reason)).toMatch(/^須提交：/)
  }
  expect(chinese.rejection('Of tomorrow')).toBe('Of tomorrow')
  expect(chinese.rejectionDocument('Of tomorrow')).toBeUndefined()
  expect([chinese.country('HK'), chinese.country('GB'), chinese.country('??')]).toEqual(['香港', '英國', '??'])
})

test('a merchant’s category has a Chinese name by its code or by the group of it, for every seeded one; others are as sent', () => {
  for (const { mcc, category } of merchants) expect(chinese.category(mcc, category), mcc).toMatch(/^\p{Script=Han}+$/u)
  expect(chinese.category('5411', 'Grocery stores')).toBe('超級市場')
  expect(chinese.category('3005', 'British Airways')).toBe('航空公司')
  expect(chinese.category('5200', 'Home supply')).toBe('零售商店')
  expect([chinese.category(null, 'Toys'), chinese.category('54', 'Toys'), chinese.category('A411', null)]).toEqual([
    'Toys',
    'Toys',
    null,
  ])
  expect(english.category('5411', 'Grocery stores')).toBe('Grocery stores')
})

test.each([
  ['en-US', 'en'],
  ['zh-Hant', 'zh-Hant'],
  ['zh-hant-tw', 'zh-Hant'],
  ['zh-HK', 'zh-Hant'],
  ['zh_TW', 'zh-Hant'],
  ['zh', 'en'],
  ['zh-Hans-HK', 'en'],
  ['fr', 'en'],
  [null, 'en'],
])('the tag %j has the language %s', (tag, language) => {
  expect(toLanguage(tag)).toBe(language)
})

test('plurals, dates and amounts follow the language, and times the time zone', () => {
  const instant = '2026-11-21T16:30:05.000Z'
  const [inHongKong, inLondon] = [
    createWriter({ language: 'en', timeZone: 'Asia/Hong_Kong' }),
    createWriter({ language: 'zh-Hant', timeZone: 'Europe/London' }),
  ]
  expect([1, 2].map(english.cardAccountCount)).toEqual(['1 card account', '2 card accounts'])
  expect([1, 2].map(chinese.cardAccountCount)).toEqual(['1 個卡賬戶', '2 個卡賬戶'])
  expect(inHongKong.time(instant)).toBe('22 Nov 2026, 00:30')
  expect(inLondon.time(instant)).toBe('2026年11月21日 16:30')
  expect(inLondon.time(instant, 'short')).toBe('11月21日 16:30')
  expect(inLondon.time('no date')).toBeNull()
  expect([inHongKong.zone(instant), inLondon.zone('2026-07-01T00:00:00Z')]).toEqual(['HKT', 'GMT+1'])
  expect(createWriter({ language: 'zh-Hant', timeZone: 'Asia/Hong_Kong' }).zone(instant)).toBe('香港時間')
  expect(inLondon.amount(-1234.5, 'HKD')).toBe('−1,234.50 HKD')
  expect(inLondon.amount(1, null)).toBe('1 （未提供貨幣）')
})

test('every month of an English date is written as the console writes it', () => {
  const { time } = createWriter({ language: 'en', timeZone: 'Asia/Hong_Kong' })
  for (let month = 0; month < 12; month += 1) {
    const instant = new Date(Date.UTC(2026, month, 5, 1, 2, 3)).toISOString()
    for (const layout of ['date-time', 'short', 'date', 'time-seconds'] as const)
      expect(time(instant, layout)).toBe(formatTime(instant, hktZone, layout))
  }
})

test('the glossary has every term of a code, and no term that the texts do not use', () => {
  const glossary = readFileSync('docs/glossary.zh-Hant.md', 'utf8')
  const terms = [...glossary.matchAll(/^\| (?!term |---)[^|]+\| ([^|]+?) *\|/gm)].map(([, term]) => term)
  expect(terms.length).toBeGreaterThan(70)
  const { cardStatuses, transactionStatuses, disputeStatuses, identityStatuses, payoutStatuses } = chinese
  const statuses = [cardStatuses, transactionStatuses, disputeStatuses, identityStatuses, payoutStatuses]
  const labels = [
    ...statuses.flatMap((table) => Object.values(table).map(({ label }) => label)),
    ...[chinese.kinds, chinese.intents, chinese.accountTypes, chinese.payoutMethods].flatMap(Object.values),
    ...Object.values(declineReasons).map(({ responseCode }) => chinese.decline(undefined, responseCode).split('（')[0]),
  ]
  expect(labels.filter((label) => !terms.includes(label))).toEqual([])
  const source = readFileSync('components/messages/zh-hant.ts', 'utf8')
  expect(terms.filter((term = '') => !source.includes(term))).toEqual([])
})

test('no Chinese text has a word that the glossary rejects', () => {
  const glossary = readFileSync('docs/glossary.zh-Hant.md', 'utf8')
  // A word that is another thing's own, such as 拒絕, has its place.
  const rejected = [...glossary.matchAll(/not (\p{Script=Han}+)(?!\p{Script=Han}|, which is (?!also))/gu)]
  const words = rejected.map(([, word = '']) => word)
  expect(words).toEqual(expect.arrayContaining(['閣下', '帳戶', '密碼', '餘額', '鎖上']))
  expect(words).not.toContain('拒絕')
  const texts = [
    ...listTexts(chinese),
    ...rejectionReasons.map((reason) => [reason, reasonEntry(reason)?.chinese ?? '']),
  ]
  expect(texts.filter(([, text = '']) => words.some((word) => text.includes(word)))).toEqual([])
})

test('the script of the host page has the texts and languages of the catalogue', () => {
  const script = readFileSync('public/embed.js', 'utf8')
  for (const [, text] of [...listTexts(english.host), ...listTexts(chinese.host)]) expect(script).toContain(`'${text}'`)
  expect(script).toContain(/\/\^zh.+?\/i/.exec(toLanguage.toString())?.[0] ?? 'no pattern')
})

/** The names under which texts are shown. */
const shown = /^(?:label|title|help|text|empty|detail|subtitle|alt|placeholder|aria-label|textContent|description)$/
/** Words, as no code or class name has them. */
const words = /^\p{Lu}\p{Ll}|\p{Ll}[ ’]\p{Ll}|^ \p{Ll}{2}|\p{Ll}{2} $|\p{Script=Han}/u
const technical = [
  'Bearer ',
  'Carddesk',
  'Carddesk: ',
  ' · Carddesk',
  'noopener noreferrer',
  '13px/20px system-ui, sans-serif',
  'allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox',
]

/** The texts in a source file that a person would read: what is left out of the catalogue. */
function findLiteralTexts(source: string, lang: 'js' | 'ts' | 'tsx'): string[] {
  const found: string[] = []
  const visit = (node: unknown, isShown = false): void => {
    if (Array.isArray(node)) return node.forEach((one) => visit(one, isShown))
    const fields = asFields(node)
    const { type, value } = fields
    if (typeof type !== 'string' || /^(?:Import|Export(?:All|Named)|TS)/.test(type)) return
    if (type === 'JSXAttribute' && asFields(fields.name).name === 'className') return
    if (type === 'JSXText' && /\p{L}/u.test(String(value))) found.push(String(value).trim())
    const text = type === 'TemplateElement' ? asFields(value).cooked : type === 'Literal' ? value : null
    if (typeof text === 'string' && !technical.includes(text) && (words.test(text) || (isShown && /\p{L}/u.test(text))))
      found.push(text)
    // For the developer of the host page.
    const { object, property } = asFields(fields.callee)
    if (type === 'CallExpression' && (asFields(object).name === 'console' || asFields(property).name === 'explain'))
      return
    // Compared with the catalogue above.
    if (type === 'VariableDeclarator' && asFields(fields.id).name === 'texts') return
    const key = asFields(fields.key ?? fields.name ?? asFields(fields.left).property)
    const names = shown.test(String(key.name ?? key.value))
    for (const [name, child] of Object.entries(fields)) {
      const isValue = name === 'value' || name === 'right' || name === 'consequent' || name === 'alternate'
      if (name === 'arguments' && asFields(fields.callee).name === 'element') {
        const [tag, attributes, ...children] = child as unknown[]
        visit([tag, attributes])
        visit(children, true)
      } else if (name !== 'key') visit(child, isValue && (names || (isShown && type === 'ConditionalExpression')))
    }
  }
  visit(parseAst(source, { lang }).body)
  return found
}

test.each([
  ["const row = { label: 'disputed' }", ['disputed']],
  ["const text = 'Nothing was declined'", ['Nothing was declined']],
  ['const text = `${count} cards`', [' cards']],
  ["element('p', { class: 'note' }, isLate ? 'late' : texts.live)", ['late']],
  ["button.textContent = '已複製'", ['已複製']],
  ['const page = <p title="status">Declined {reason}</p>', ['status', 'Declined']],
  ["const row = { tone: 'warn', label: texts.disputed, kind: 'card-account' }", []],
])('the text that %s shows is found', (source, texts) => {
  expect(findLiteralTexts(source, 'tsx')).toEqual(texts)
})

test.each([
  ['components/embed/describe-view.ts', 'ts'],
  ['components/messages/writer.ts', 'ts'],
  ['components/payouts/detail/receipt.tsx', 'tsx'],
  ['public/embed-view.js', 'js'],
  ['public/embed.js', 'js'],
] as const)('%s shows no text from outside the catalogue', (file, lang) => {
  expect(findLiteralTexts(readFileSync(file, 'utf8'), lang)).toEqual([])
})
