import { crc32 } from 'node:zlib'
import { expect, test } from 'vitest'
import { fileOf } from './file-of.ts'
import { openFile } from './open-file.ts'
import { xlsxRecords } from './xlsx-records.ts'

/** An archive of these files, not compressed. */
function zip(files: Record<string, string>): Buffer {
  const [locals, centrals]: [Buffer[], Buffer[]] = [[], []]
  let offset = 0
  for (const [name, text] of Object.entries(files)) {
    const [path, content] = [Buffer.from(name), Buffer.from(text)]
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt32LE(crc32(content), 10)
    common.writeUInt32LE(content.length, 14)
    common.writeUInt32LE(content.length, 18)
    common.writeUInt16LE(path.length, 22)
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004', 'latin1'), common, path, content])
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(offset, 10)
    centrals.push(Buffer.concat([Buffer.from('PK\u0001\u0002', 'latin1'), Buffer.from([20, 0]), common, rest, path]))
    locals.push(local)
    offset += local.length
  }
  const central = Buffer.concat(centrals)
  const end = Buffer.alloc(22)
  end.write('PK\u0005\u0006', 0, 'latin1')
  end.writeUInt16LE(centrals.length, 8)
  end.writeUInt16LE(centrals.length, 10)
  end.writeUInt32LE(central.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...locals, central, end])
}

const sheet = (rows: string) => `<worksheet><sheetData>${rows}</sheetData></worksheet>`
const workbook = (rows: string) =>
  zip({
    'xl/workbook.xml':
      '<workbook xmlns:r="r"><sheets><sheet name="People" r:id="rId7"/><sheet name="Else" r:id="rId1"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels':
      '<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/><Relationship Id="rId7" Target="/xl/worksheets/people.xml"/></Relationships>',
    'xl/sharedStrings.xml':
      '<sst><si><t>Name</t></si><si><r><t>Asha </t></r><r><t>Rao 👩‍🌾</t></r><rPh><t>left out</t></rPh></si><si><t>Phone</t></si></sst>',
    'xl/styles.xml':
      '<styleSheet><numFmts><numFmt numFmtId="170" formatCode="dd/mm/yyyy"/><numFmt numFmtId="171" formatCode="0 &quot;days&quot;"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="170"/><xf numFmtId="171"/></cellXfs></styleSheet>',
    'xl/worksheets/sheet1.xml': sheet(''),
    'xl/worksheets/people.xml': sheet(rows),
  })

async function read(file: Buffer) {
  const records = []
  for await (const part of xlsxRecords(fileOf(file), file.length)) records.push(...part.records)
  return records
}

test('the first sheet is read: shared texts, numbers, dates, formulas, gaps and empty rows', async () => {
  const file = workbook(`
    <row r="1"><c r="A1" t="s"><v>0</v></c><c r="C1" t="s"><v>2</v></c></row>
    <row r="2"><c r="A2"/></row>
    <row r="4"><c r="A4" t="s"><v>1</v></c><c r="C4"><v>9.1987654321E11</v></c><c r="D4" s="1"><v>46348</v></c></row>
    <row r="5"><c r="A5" t="inlineStr"><is><t>=1+1 &amp; more</t></is></c><c r="C5" t="str"><f>A1</f><v>text</v></c>
      <c r="D5" s="1"><v>46348.5</v></c><c r="E5" s="2"><v>3</v></c><c r="F5" t="b"><v>1</v></c></row>`)
  expect(await read(file)).toEqual([
    { line: 1, cells: ['Name', '', 'Phone'] },
    { line: 4, cells: ['Asha Rao 👩‍🌾', '', '919876543210', '2026-11-22'] },
    { line: 5, cells: ['=1+1 & more', '', 'text', '2026-11-22 12:00', '3', 'TRUE'] },
  ])
  expect(await openFile(fileOf(file), 'people.xlsx', file.length)).toMatchObject({
    format: { kind: 'xlsx' },
    headerRow: 1,
  })
})

test.each([
  ['an archive that is cut off', workbook('<row r="1"/>').subarray(0, 300), 'damaged'],
  ['another archive', zip({ 'word/document.xml': '<w/>' }), 'no Excel workbook'],
  ['broken XML', workbook('<row r="1"><c></row>'), 'damaged'],
  ['too many columns', workbook('<row r="1"><c r="ZZ1"><v>1</v></c></row>'), 'more than 300 columns'],
])('%s is refused in words', async (_, file, words) => {
  await expect(openFile(fileOf(file), 'people.xlsx', file.length)).rejects.toThrow(words)
})
