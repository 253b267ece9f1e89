import { expect, test } from 'vitest'
import { IssueCard } from '#lib/contract/cards.ts'
import { embossedNameProblem, countLetters, suggestedName } from './issue-card-dialog.tsx'

const names = [
  'MEI CHAN',
  'JEAN-PIERRE O',
  'José Núñez',
  'Nguye\u0302\u0303n',
  '陳美玲',
  'R2D2',
  "O'NEIL",
  '',
  '   ',
  '- -',
  'A'.repeat(22),
  'A'.repeat(23),
  `${'e\u0301'.repeat(22)}`,
  `${'e\u0301'.repeat(23)}`,
]

test.each(names)('the form judges “%s” as the interface does', (name) => {
  expect(embossedNameProblem(name) === null).toBe(IssueCard.shape.embossedName.safeParse(name.trim()).success)
})

test('a letter and its accents count as one, and a name that cannot be embossed is not suggested', () => {
  expect(countLetters('e\u0301e\u0301')).toBe(2)
  expect(suggestedName(' Mei Chan ')).toBe('MEI CHAN')
  expect(suggestedName('Chan Tai Man 陳大文')).toBe('CHAN TAI MAN')
  expect(suggestedName('陳美玲')).toBe('')
  expect(suggestedName(null)).toBe('')
})
