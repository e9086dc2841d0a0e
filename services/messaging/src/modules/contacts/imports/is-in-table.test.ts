import { expect, test } from 'vitest'
import { traceOf } from '../../../platform/person.ts'
import { fileOf } from './file-of.ts'
import { isInTable } from './is-in-table.ts'
import { workbookLimits } from './xlsx-parts.ts'
import { zipOf } from './zip-of.ts'

const trace = traceOf([{ name: '山田 花子', phone: '+919876543210' }])
const isIn = (parts: Record<string, string>) => {
  const file = zipOf({ 'xl/workbook.xml': '<workbook/>', ...parts })
  return isInTable(fileOf(file), { format: { kind: 'xlsx' }, sizeBytes: file.length }, trace)
}

test.each([
  ['a shared text', '<si><t>山田 花子</t></si>', true],
  ['a text in runs', '<si><r><t>山田 </t></r><r><t>花子</t></r></si>', true],
  ['a text with its pronunciation', '<si><t>山田 花子</t><rPh sb="0" eb="2"><t>ヤマダ</t></rPh></si>', true],
  ['a text whose line end is an escape', '<si><t>98765 43210_x000D_\n00</t></si>', true],
  ['a number in exponents', '<c><v>9.19876543210E11</v></c>', true],
  ['a comment', '<comment><text><r><t>Call 098765 43210</t></r></text></comment>', true],
  ['a longer number', '<c><v>9198765432101</v></c>', false],
  ['two texts that make a name together', '<si><t>山田 </t></si><si><t>花子</t></si>', false],
])('somebody is looked for in cells as they are shown: %s', async (_, xml, expected) => {
  expect(await isIn({ 'xl/part.xml': `<root>${xml}</root>` })).toBe(expected)
})

test('a workbook of which a part cannot be read counts as one that has them', async () => {
  const deep = '<a>'.repeat(workbookLimits.depth + 1)
  expect(await isIn({ 'xl/part.xml': deep })).toBe(true)
})
