import { Readable } from 'node:stream'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fileOf } from './file-of.ts'
import { FileProblem } from './file-text.ts'
import { inspectFile } from './inspect-file.ts'
import { openFile, recordsOf } from './open-file.ts'
import { partsOf, workbookLimits } from './xlsx-parts.ts'
import { sharedTexts } from './xlsx-texts.ts'
import { workbookOf, zipOf } from './zip-of.ts'

const cell = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`
const named = (text: number) => `<row><c t="s"><v>${text}</v></c></row>`
const person = `<row>${cell('Name')}${cell('Phone')}</row><row>${cell('Asha')}${cell('+919876543210')}</row>`

/** Structures of archives, near their bounds and beyond them. */
const shapes = fc.record({
  /** Pictures beside the workbook's own parts. */
  pictures: fc.constantFrom(0, 3, 200),
  /** The size that the sheet claims to unpack to, in times of the bound of one part; 0: the truth. */
  claim: fc.constantFrom(0, 0, 0, 0.5, 1.5, 3.9),
  depth: fc.constantFrom(0, 10, workbookLimits.depth + 1, 2000),
  styles: fc.constantFrom(1, 500, 20_000),
  sheets: fc.constantFrom(1, 3, 501),
  textBytes: fc.constantFrom(0, 30_000, workbookLimits.textBytes / 2, workbookLimits.textBytes * 2),
  columns: fc.constantFrom(2, 300, 301),
  cellsInRow: fc.constantFrom(2, 31, 299),
})
type Shape = typeof shapes extends fc.Arbitrary<infer S> ? S : never

function archiveOf({ pictures, claim, depth, styles, sheets, textBytes, columns, cellsInRow }: Shape): Buffer {
  const deep = `${'<a>'.repeat(depth)}${'</a>'.repeat(depth)}`
  const wide = columns > 2 ? `<row>${cell('x').replace('<c ', `<c r="${columns === 300 ? 'KN' : 'KO'}9" `)}</row>` : ''
  // One text that many cells name.
  const long = textBytes > 0 ? `<row>${'<c t="s"><v>0</v></c>'.repeat(cellsInRow)}</row>` : ''
  const sheet = `<worksheet>${deep}<sheetData>${person}${wide}${long}</sheetData></worksheet>`
  return zipOf({
    ...Object.fromEntries(Array.from({ length: pictures }, (_, index) => [`xl/media/${index}.png`, 'x'])),
    'xl/workbook.xml': `<workbook><sheets>${'<sheet name="S" id="s"/>'.repeat(sheets)}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels':
      '<Relationships><Relationship Id="s" Type="x/worksheet" Target="sheet.xml"/></Relationships>',
    'xl/sharedStrings.xml': `<sst><si><t>${'x'.repeat(textBytes)}</t></si></sst>`,
    'xl/styles.xml': `<styleSheet><cellXfs>${'<xf numFmtId="0"/>'.repeat(styles)}</cellXfs></styleSheet>`,
    'xl/sheet.xml': claim === 0 ? sheet : { content: Buffer.from(sheet), claim: claim * workbookLimits.partBytes },
  })
}

/** A text is cut to what a cell may have, and a row has at most a million characters. */
const isBeyond = ({ claim, depth, sheets, textBytes, columns, cellsInRow }: Shape): boolean =>
  claim !== 0 ||
  depth + 1 > workbookLimits.depth ||
  sheets > 500 ||
  textBytes > workbookLimits.textBytes ||
  columns > 300 ||
  Math.min(textBytes, 32_767) * cellsInRow > 1024 * 1024

test('an archive of any shape is read, or refused in words', async () => {
  await fc.assert(
    fc.asyncProperty(shapes, async (shape) => {
      const file = archiveOf(shape)
      const rows: (readonly string[])[] = []
      const reading = (async () => {
        const { format } = await openFile(fileOf(file), 'people.xlsx', file.length)
        for await (const { records } of recordsOf(fileOf(file), format, file.length))
          rows.push(...records.map(({ cells }) => cells))
      })()
      if (isBeyond(shape)) await expect(reading).rejects.toBeInstanceOf(FileProblem)
      else {
        await reading
        expect(rows.slice(0, 2)).toEqual([
          ['Name', 'Phone'],
          ['Asha', '+919876543210'],
        ])
      }
    }),
    { numRuns: 15 },
  )
})

/** Parts of an archive by how long their names are and what they claim to unpack to, in times of the bound of one part. */
const claimed = fc.array(
  fc.record({
    nameLength: fc.constantFrom(10, workbookLimits.nameLength, workbookLimits.nameLength + 1),
    claim: fc.constantFrom(0.001, 0.3, 0.75, 1, 1.001, 3.9),
  }),
  { minLength: 1, maxLength: 6 },
)

test('parts are opened as long as each of them and all together keep to the bounds', async () => {
  await fc.assert(
    fc.asyncProperty(claimed, async (shape) => {
      const named = shape.map(({ nameLength, claim }, index) => ({
        name: `${index}${'x'.repeat(nameLength - 5)}.xml`,
        claim: Math.floor(claim * workbookLimits.partBytes),
      }))
      const entries = named.map(({ name, claim }) => [name, { content: Buffer.from('<a/>'), claim }] as const)
      const file = zipOf(Object.fromEntries(entries))
      const parts = await partsOf(fileOf(file), file.length)
      expect([...parts.keys()]).toEqual(
        named.map(({ name }) => name).filter(({ length }) => length <= workbookLimits.nameLength),
      )
      let opened = 0
      for (const { name, claim } of named) {
        const opening = parts.get(name)?.open()
        if (!opening) continue
        opened += claim
        if (claim <= workbookLimits.partBytes && opened <= workbookLimits.totalBytes) (await opening).destroy()
        else await expect(opening).rejects.toThrow('too large')
      }
    }),
    { numRuns: 100 },
  )
})

const look = (file: Buffer) => inspectFile(fileOf(file), { name: 'people.xlsx', sizeBytes: file.length })

test.each([
  [
    'entries',
    zipOf(Object.fromEntries(Array.from({ length: workbookLimits.entries + 1 }, (_, index) => [`${index}`, '']))),
  ],
  ['styles', workbookOf({ rows: person, styles: `<cellXfs>${'<xf/>'.repeat(70_001)}</cellXfs>` })],
])('too many %s are refused in words', async (_, file) => {
  await expect(openFile(fileOf(file), 'people.xlsx', file.length)).rejects.toThrow('too large')
})

test('shared texts are kept up to their number and their bytes', async () => {
  const part = (texts: readonly string[]) => {
    const xml = `<sst>${texts.map((text) => `<si><t>${text}</t></si>`).join('')}</sst>`
    return { sizeBytes: xml.length, open: () => Promise.resolve(Readable.from([Buffer.from(xml)])) }
  }
  const limits = { texts: 100, bytes: 2 * 1024 * 1024 }
  const read = async (texts: readonly string[]) => {
    const { count, get } = await sharedTexts(part(texts), undefined, limits)
    return Array.from({ length: count }, (_, index) => get(index))
  }
  const [many, long] = [
    Array.from({ length: 100 }, (_, index) => `text ${index} ë`),
    Array.from({ length: 60 }, (_, index) => 'x'.repeat(30_000 + index)),
  ]
  expect(await read(many)).toEqual(many)
  expect(await read(long)).toEqual(long)
  await expect(read([...many, ''])).rejects.toThrow('too large')
  await expect(read([...long, ...long])).rejects.toThrow('too large')
})

test('a first look in a process of its own ends as one without: with the same answer, or the same words', async () => {
  const file = workbookOf({ rows: `${named(9999)}${person}`, texts: '<si><t>ab</t></si>'.repeat(10_000) })
  expect(await look(file)).toEqual(await openFile(fileOf(file), 'people.xlsx', file.length))
  await expect(look(Buffer.from('PK\u0003\u0004 nothing'))).rejects.toThrow(
    new FileProblem('The workbook is damaged or protected. Save it as CSV and choose that file.'),
  )
})

test('a source that is away is no fault of the file', async () => {
  const away = () => Readable.from(gone())
  await expect(inspectFile(away, { name: 'people.csv', sizeBytes: 9 })).rejects.toThrow('store is away')
})

async function* gone(): AsyncGenerator<Uint8Array> {
  yield await Promise.reject(new Error('store is away'))
}
