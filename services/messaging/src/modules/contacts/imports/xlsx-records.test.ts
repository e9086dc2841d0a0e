import { expect, test } from 'vitest'
import { fileOf } from './file-of.ts'
import { openFile } from './open-file.ts'
import { xlsxRecords, xlsxSheets } from './xlsx-records.ts'
import { workbookOf, zipOf } from './zip-of.ts'

const sheet = (rows: string) => `<worksheet><sheetData>${rows}</sheetData></worksheet>`
const workbook = (rows: string) =>
  zipOf({
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

async function read(file: Buffer, sheet?: string) {
  const records = []
  for await (const part of xlsxRecords(fileOf(file), file.length, sheet)) records.push(...part.records)
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
  ['another archive', zipOf({ 'word/document.xml': '<w/>' }), 'no Excel workbook'],
  ['broken XML', workbook('<row r="1"><c></row>'), 'damaged'],
  ['too many columns', workbook('<row r="1"><c r="ZZ1"><v>1</v></c></row>'), 'more than 300 columns'],
])('%s is refused in words', async (_, file, words) => {
  await expect(openFile(fileOf(file), 'people.xlsx', file.length)).rejects.toThrow(words)
})

const cellsOf = async (shape: Parameters<typeof workbookOf>[0]) => (await read(workbookOf(shape)))[0]?.cells
const formatted = (code: string, value: string, settings = '') =>
  cellsOf({
    rows: `<row r="1"><c r="A1" s="1"><v>${value}</v></c></row>`,
    styles: `<numFmts><numFmt numFmtId="164" formatCode="${code.replaceAll('"', '&quot;')}"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/></cellXfs>`,
    settings,
  })

test.each([
  ['a day', 'dd/mm/yyyy', '46348', '2026-11-22'],
  ['a day that is stored some seconds off', 'dd/mm/yyyy', '46347.99998', '2026-11-22'],
  ['a day with its time, to the minute', 'd.m.yy h:mm', '46348.60417', '2026-11-22 14:30'],
  ['midnight', 'yyyy-mm-dd hh:mm:ss', '46348', '2026-11-22'],
  ['a month in letters', 'mmm-yy', '46327', '2026-11-01'],
  ['a locale and a colour before the day', '[Red][$-409]d-mmm-yyyy;@', '46348', '2026-11-22'],
  ['the last days of February 1900', 'yyyy-mm-dd', '59', '1900-02-28'],
  ['the days after them', 'yyyy-mm-dd', '61', '1900-03-01'],
  ['a time', 'h:mm AM/PM', '0.3125', '07:30'],
  ['a time with seconds', 'hh:mm:ss', '0.312511574', '07:30:01'],
  ['a duration', '[hh]:mm:ss', '1.0854166666666667', '26:03'],
  ['minutes that go on beyond the hour', '[mm]:ss', '0.0625115741', '01:30:01'],
  ['an amount whose padding is a letter of dates', '#,##0_K;-#,##0_d', '1850', '1850'],
  ['an amount that is filled with a letter of dates', '*d#,##0.00', '12.5', '12.5'],
  ['an amount with a unit in quotes', '0.0 "days"', '3.5', '3.5'],
  ['an amount with an escaped unit', '0\\ \\d', '3', '3'],
  ['an amount in thousands of a currency', '[$₹-4009]#,##0', '150000', '150000'],
  ['many digits', '0.00E+00', '9.1987654321E11', '919876543210'],
  ['any number', 'General', '3.3000000000000003', '3.3'],
  ['a small one', 'General', '1E-7', '0.0000001'],
  ['digits of an id', 'General', '1234567890123456789', '1234567890123456789'],
  ['zeros before it', '00000000000', '9876500012', '09876500012'],
  ['a postcode in two parts', '00000\\-0000', '12345678', '01234-5678'],
  ['a plus before it', '"+"0', '919876500002', '+919876500002'],
  ['an escaped plus and gaps', '\\+00 00000 00000', '919876500002', '+91 98765 00002'],
])('number format: %s', async (_, code, value, shown) => {
  expect(await formatted(code, value)).toEqual([shown])
})

test.each(['date1904="1"', 'date1904="true"'])('days count from 1904 where the workbook says %s', async (settings) => {
  expect(await formatted('yyyy-mm-dd', '44886', settings)).toEqual(['2026-11-22'])
})

test('days do not count from 1904 where it says that they do not', async () => {
  expect(await formatted('yyyy-mm-dd', '46348', 'date1904="false"')).toEqual(['2026-11-22'])
})

test('errors are empty, escaped signs are what was typed, ISO dates are dates, phonetic hints are left out', async () => {
  const rows = `<row><c t="e"><v>#N/A</v></c><c t="str"><f>A1</f><v>a_x000d__x000A_b</v></c><c t="s"><v>0</v></c>
    <c t="d"><v>2026-11-22T00:00:00</v></c><c t="inlineStr"><is><t>山田</t><rPh><t>ヤマダ</t></rPh></is></c><c t="b"><v>0</v></c></row>`
  expect(await cellsOf({ rows, texts: '<si><t>_x005F_x000D_ &amp; _x0041_</t></si>' })).toEqual([
    '',
    'a\nb',
    '_x000D_ & A',
    '2026-11-22',
    '山田',
    'FALSE',
  ])
})

test('cells without a place follow each other; those that only have a colour are none', async () => {
  const rows = '<row><c t="inlineStr"><is><t>a</t></is></c><c/><c><v>1</v></c><c r="XFD1" s="1"/></row>'
  expect(await cellsOf({ rows })).toEqual(['a', '', '1'])
})

const twoSheets = (first: string) =>
  zipOf({
    '_rels/.rels':
      '<Relationships><Relationship Id="a" Type="x/officeDocument" Target="/xl/book.xml"/></Relationships>',
    'xl/book.xml': `<x:workbook xmlns:x="x" xmlns:r="r"><x:sheets><x:sheet name="Chart" r:id="c"/><x:sheet name="Lists" ${first} r:id="a"/><x:sheet name="People" r:id="b"/></x:sheets></x:workbook>`,
    'xl/_rels/book.xml.rels':
      '<Relationships><Relationship Id="a" Type="x/worksheet" Target="worksheets/Sheet1.xml"/><Relationship Id="b" Type="x/worksheet" Target="../xl/worksheets/sheet2.xml"/><Relationship Id="c" Type="x/chartsheet" Target="chartsheets/sheet1.xml"/><Relationship Id="s" Type="x/sharedStrings" Target="texts.xml"/></Relationships>',
    'xl/texts.xml': '<sst><si><t>list</t></si><si><t>person</t></si></sst>',
    'xl/chartsheets/sheet1.xml': '<chartsheet/>',
    'xl/worksheets/sheet1.xml': sheet('<row><c t="s"><v>0</v></c></row>'),
    'xl/worksheets/sheet2.xml': sheet('<row><c t="s"><v>1</v></c></row>'),
  })

test('sheets that people do not see are skipped, and another one can be chosen', async () => {
  const shown = twoSheets('')
  expect(await xlsxSheets(fileOf(shown), shown.length)).toEqual(['Lists', 'People'])
  expect(await read(shown)).toMatchObject([{ cells: ['list'] }])
  expect(await read(shown, 'People')).toMatchObject([{ cells: ['person'] }])
  await expect(read(shown, 'Gone')).rejects.toThrow('no sheet of this name')
  for (const state of ['state="hidden"', 'state="veryHidden"']) {
    const hidden = twoSheets(state)
    expect(await xlsxSheets(fileOf(hidden), hidden.length)).toEqual(['People'])
    expect(await read(hidden)).toMatchObject([{ cells: ['person'] }])
  }
})

test('the first rows are the same as those of the whole file, wherever their texts stand', async () => {
  const texts = Array.from({ length: 5000 }, (_, index) => `<si><t>text ${index}</t></si>`).join('')
  const rows = [4, 4999, 0, 2500, 9999]
    .map((index) => `<row><c t="s"><v>${index}</v></c><c><v>1</v></c></row>`)
    .join('')
  const file = workbookOf({ rows, texts })
  const { head } = await openFile(fileOf(file), 'x.xlsx', file.length)
  expect(head).toEqual(await read(file))
  expect(head.map(({ cells }) => cells[0])).toEqual(['text 4', 'text 4999', 'text 0', 'text 2500', ''])
})
