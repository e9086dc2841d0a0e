import { expect, test } from 'vitest'
import { judgeFiles } from './file-checks.ts'

const judged = (checked: number, distinct: number, faulty: number) => {
  const fault = { title: 'The file was not found', count: faulty, example: 'https://shop.example/a.pdf', detail: '404' }
  const { problems, warnings } = judgeFiles({
    distinct,
    checked,
    withoutAddress: 0,
    invalidAddress: 0,
    faults: faulty > 0 ? [fault] : [],
  })
  return [...problems, ...warnings].map(({ code, message }) => [code, message])
}

const worst = 'The file was not found: https://shop.example/a.pdf'

test.each([
  [3, 3, 1, 'files_faulty', '1 of the 3 files cannot be sent.'],
  [12, 1400, 2, 'files_faulty', 'Parley has looked at 12 of the 1,400 files: 2 of these cannot be sent.'],
  [1, 1, 1, 'files_unreachable', `The file cannot be sent. ${worst}`],
  [3, 3, 3, 'files_unreachable', `None of the 3 files can be sent. ${worst}`],
  [
    12,
    1400,
    12,
    'files_unreachable',
    `Parley has looked at 12 of the 1,400 files: none of these can be sent. ${worst}`,
  ],
  [1, 9, 1, 'files_unreachable', `Parley has looked at 1 of the 9 files: it cannot be sent. ${worst}`],
])('of %i files looked at, of %i, %i are faulty: %s, in words', (checked, distinct, faulty, code, words) => {
  expect(judged(checked, distinct, faulty)).toEqual([[code, words]])
})

test('files without a fault say nothing', () => {
  expect(judged(3, 3, 0)).toEqual([])
})
