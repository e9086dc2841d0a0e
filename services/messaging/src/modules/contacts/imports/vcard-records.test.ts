import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fileOf } from './file-of.ts'
import { openFile } from './open-file.ts'
import type { FileRecord } from './records.ts'
import { vcardRecords } from './vcard-records.ts'

async function read(text: string | Uint8Array): Promise<FileRecord[]> {
  const records: FileRecord[] = []
  const content = typeof text === 'string' ? Buffer.from(text) : text
  const { format } = await openFile(fileOf(content), 'people', content.length)
  if (format.kind !== 'vcard') throw new Error('not taken for cards')
  for await (const part of vcardRecords(fileOf(content), format)) records.push(...part.records)
  return records
}

/** The first card's cells by their columns, without empty ones. */
async function first(text: string | Uint8Array): Promise<Record<string, string>> {
  const [header, card] = await read(text)
  return Object.fromEntries(
    (header?.cells ?? []).map((name, index) => [name, card?.cells[index] ?? '']).filter(([, cell]) => cell !== ''),
  )
}

const card = (...lines: string[]) => ['BEGIN:VCARD', ...lines, 'END:VCARD', ''].join('\r\n')
const v3 = (...lines: string[]) => card('VERSION:3.0', ...lines)
const v2 = (...lines: string[]) => card('VERSION:2.1', ...lines)
const v4 = (...lines: string[]) => card('VERSION:4.0', ...lines)

test.each<[string, string, Record<string, string>]>([
  ['full name', v3('FN:Asha Rao', 'N:Rao;Asha;;;'), { Name: 'Asha Rao' }],
  ['parts of the name where there is no full one', v3('FN: ', 'N:Rao;Asha;K;Dr.;PhD'), { Name: 'Dr. Asha K Rao PhD' }],
  ['escapes in parts of a name', v3(String.raw`N:Rao\; Sons\, Ltd;Asha`), { Name: 'Asha Rao; Sons, Ltd' }],
  [
    'a company has its own name',
    v3('ORG:Rao Traders;Sales'),
    { Name: 'Rao Traders, Sales', Organization: 'Rao Traders, Sales' },
  ],
  [
    'a note with bare commas',
    v3(String.raw`NOTE:one, two; three\nfour\, five\\six`),
    { Note: 'one, two; three\nfour, five\\six' },
  ],
  [
    'version 2.1 has no escape for line ends',
    v2(String.raw`NOTE:C:\new\; C:\old`),
    { Note: String.raw`C:\new; C:\old` },
  ],
  ['several notes', v3('NOTE:one', 'NOTE:two'), { Note: 'one\ntwo' }],
  ['tags', v3(String.raw`CATEGORIES:VIP,north\, south`, 'CATEGORIES:new'), { Tags: 'VIP, north south, new' }],
  ['tags of version 2.1', v2('CATEGORIES:VIP,north, south'), { Tags: 'VIP, north, south' }],
  ['a quoted parameter with a colon', v3('NOTE;X-FROM="a:b;c":text'), { Note: 'text' }],
  ['an address', v3('ADR;TYPE=HOME:;;1 Main Road;Pune;;411001;India'), { Address: '1 Main Road, Pune, 411001, India' }],
  [
    'groups and any case',
    v3('item1.fn:Asha', 'ITEM2.email;type=internet:a@example.org'),
    { Name: 'Asha', Email: 'a@example.org' },
  ],
])('%s', async (_, text, cells) => {
  expect(await first(text)).toEqual(cells)
})

test.each([
  ['bare words', v2('TEL;WORK:1111111', 'TEL;CELL;VOICE:2222222')],
  ['a parameter each', v3('TEL;TYPE=WORK:1111111', 'TEL;TYPE=CELL;TYPE=VOICE:2222222')],
  ['a list', v3('TEL;TYPE=work:1111111', 'TEL;TYPE=cell,voice:2222222')],
  ['a quoted list', v4('TEL;TYPE="work,voice":1111111', 'TEL;VALUE=uri;TYPE="cell,voice":tel:2222222')],
  ['no version at all', card('TEL;WORK;PREF:1111111', 'TEL;CELL:2222222')],
  ['a label of Apple', v3('TEL;TYPE=pref:1111111', 'item1.TEL:2222222', 'item1.X-ABLabel:_$!<Mobile>!$_')],
])('types of phones as %s: the mobile one comes first', async (_, text) => {
  expect(await first(text)).toEqual({ Phone: '2222222', 'Phone 2': '1111111' })
})

test.each([
  ['the preferred one of several', v3('TEL:1111111', 'TEL;TYPE=HOME,PREF:2222222'), '2222222', '1111111'],
  ['the preferred one of version 4.0', v4('TEL:1111111', 'TEL;PREF=1:2222222'), '2222222', '1111111'],
  ['the preferred mobile one', v3('TEL;TYPE=CELL:1111111', 'TEL;TYPE=CELL,PREF:2222222'), '2222222', '1111111'],
  [
    'the number that WhatsApp knows',
    v3('TEL;TYPE=CELL:1111111', 'TEL;waid=919876543210:+91 98765 43210'),
    '+919876543210',
    '1111111',
  ],
  ['a label for WhatsApp', v3('TEL;TYPE=CELL:1111111', 'a.TEL:2222222', 'a.X-ABLABEL:WhatsApp'), '2222222', '1111111'],
  [
    'a messenger address',
    v3('TEL;TYPE=CELL:1111111', 'IMPP;X-SERVICE-TYPE=WhatsApp:x-apple:2222222'),
    '2222222',
    '1111111',
  ],
  [
    'an address with blanks and an extension',
    v4('TEL;VALUE=uri:tel: +1 (415) 555-2671;ext=9'),
    '+1 (415) 555-2671',
    undefined,
  ],
  ['an address with its country apart', v4('TEL;VALUE=uri:tel:4155552671;phone-context=+1'), '+14155552671', undefined],
  ['one number twice', v3('TEL;TYPE=HOME:415 555-2671', 'TEL;TYPE=CELL:4155552671'), '4155552671', undefined],
  [
    'never a machine',
    v3('TEL;TYPE=CELL,FAX:1', 'TEL;TYPE=PAGER:2', 'a.TEL:3', 'a.X-ABLABEL:_$!<WorkFAX>!$_', 'TEL:4444444'),
    '4444444',
    undefined,
  ],
])('phone: %s', async (_, text, phone, other) => {
  expect(await first(text)).toEqual({ Phone: phone, ...(other && { 'Phone 2': other }) })
})

test.each([
  ['1990-02-03', '1990-02-03'],
  ['19900203', '1990-02-03'],
  ['1990-02-03T00:00:00+05:30', '1990-02-03'],
  ['19900203T000000Z', '1990-02-03'],
  ['--0203', '--02-03'],
  ['--02-03', '--02-03'],
  ['circa 1800', 'circa 1800'],
])('a birthday written %s', async (written, birthday) => {
  expect(await first(v4(`BDAY:${written}`))).toEqual({ Birthday: birthday })
})

test('a birthday without a year as Apple has it: the year is one that nobody means', async () => {
  expect(await first(v3('BDAY;X-APPLE-OMIT-YEAR=1604:1604-02-03'))).toEqual({ Birthday: '--02-03' })
})

test.each([
  ['by its parameter', v2('FN;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:Zo=C3=AB')],
  ['by a bare word', v2('FN;CHARSET=UTF-8;QUOTED-PRINTABLE:Zo=C3=AB')],
  ['within a letter, as a soft break', v2('FN;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:Zo=C3=\r\n=AB')],
  ['in another encoding', v2('FN;ENCODING=QUOTED-PRINTABLE;CHARSET=ISO-8859-1:Zo=EB')],
  ['in base64', v2('FN;ENCODING=BASE64;CHARSET=UTF-8:Wm/Dqw==')],
])('letters that are encoded %s', async (_, text) => {
  expect(await first(text)).toEqual({ Name: 'Zoë' })
})

test('an equals sign is one where nothing says quoted-printable', async () => {
  expect(await first(v3('NOTE:a=C3=A9=', 'TEL:1111111'))).toEqual({ Note: 'a=C3=A9=', Phone: '1111111' })
})

test('a fold within a letter, and one that drops exactly one blank', async () => {
  const bytes = Buffer.from(v3('FN:Zoë Rao', 'NOTE:two\r\n  words\r\n\tmore'))
  const at = bytes.indexOf(0xc3) + 1
  const folded = Buffer.concat([bytes.subarray(0, at), Buffer.from('\r\n '), bytes.subarray(at)])
  expect(await first(folded)).toEqual({ Name: 'Zoë Rao', Note: 'two wordsmore' })
})

const three = [v2('FN:A', 'TEL;CELL:1111111'), v3('FN:B', 'TEL:2222222'), v4('FN:C', 'TEL:tel:3333333')].join('')
const names = async (content: string | Uint8Array) =>
  (await read(content)).slice(1).map(({ line, cells }) => [line, cells[0], cells[1]])
const lines = [
  [1, 'A', '1111111'],
  [6, 'B', '2222222'],
  [11, 'C', '3333333'],
]

test.each([
  ['CRLF', three],
  ['LF', three.replaceAll('\r\n', '\n')],
  ['CR', three.replaceAll('\r\n', '\r')],
  ['a byte order mark', `\uFEFF${three}`],
  ['UTF-16', Buffer.from(`\uFEFF${three}`, 'utf16le')],
])('cards of three versions in one file, with %s', async (_, content) => {
  expect(await names(content)).toEqual(lines)
})

test('a mark at the beginning of each card of files that were put together', async () => {
  expect(await names(`${v3('FN:A')}\uFEFF${v3('FN:B')}`)).toEqual([
    [1, 'A', ''],
    [5, 'B', ''],
  ])
})

test('letters of Windows-1252 beside UTF-8: each line is read as what it is', async () => {
  const bytes = Buffer.concat([Buffer.from(v3('FN:Zoë')), Buffer.from(v3('FN:Zoë'), 'latin1')])
  expect((await names(bytes)).map(([, name]) => name)).toEqual(['Zoë', 'Zoë'])
})

test('a bad line costs that line, a bad card that card, and both are told', async () => {
  const records = await read(
    [
      v3('FN:A', 'no property', 'TEL:1111111'),
      card('nothing to read'),
      'between cards',
      'BEGIN:VCARD',
      'FN:B',
      v3('FN:C'),
    ].join('\r\n'),
  )
  expect(records.slice(1).map(({ cells, problem, notes }) => [cells[0], problem, notes])).toEqual([
    ['A', undefined, ['One line of the card cannot be read.']],
    ['', 'This card cannot be read.', undefined],
    ['B', undefined, undefined],
    ['C', undefined, undefined],
  ])
})

test('pictures and other people inside a card cost nothing', async () => {
  const picture = 'QUJD'.repeat(60_000)
  const records = await read(
    [
      v2('FN:A', 'PHOTO;ENCODING=BASE64;JPEG:QUJD', picture.slice(0, 76), ' QUJD', '', 'TEL:1111111'),
      v4(`PHOTO:data:image/jpeg;base64,${picture}`, 'FN:B'),
      v2('AGENT:', card('FN:Else', 'TEL:9999999').trimEnd(), 'FN:C'),
    ].join(''),
  )
  expect(records.slice(1).map(({ cells, notes }) => [cells[0], cells[1], notes])).toEqual([
    ['A', '1111111', undefined],
    ['B', '', undefined],
    ['C', '', undefined],
  ])
})

test('a line or a card without an end stays within its bounds', async () => {
  const records = await read(
    [v3('FN:A', `NOTE:${'x'.repeat(3_000_000)}`), v3(...Array.from({ length: 5000 }, () => 'NOTE:y'), 'FN:B')].join(''),
  )
  expect(records.map(({ notes }) => notes)).toEqual([
    undefined,
    ['One line of the card cannot be read.'],
    ['4702 lines of the card cannot be read.'],
  ])
})

test('a name and a number come back from every way of writing and breaking a card', async () => {
  const word = fc.string({
    unit: fc.constantFrom('a', 'ë', 'प', '王', '👩‍🌾', ',', ';', '\\', ':', '=', '"', ' ', 'n'),
    minLength: 1,
    maxLength: 40,
  })
  const quoted = (text: string) =>
    [...Buffer.from(text)].map((byte) => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('')
  await fc.assert(
    fc.asyncProperty(
      word,
      fc.integer({ min: 1, max: 30 }),
      fc.boolean(),
      fc.constantFrom('\r\n', '\n', '\r'),
      async (text, at, isOld, end) => {
        const name = text.trim().replaceAll(/\s+/g, ' ')
        fc.pre(name !== '')
        const escaped = name.replaceAll(/[\\;,]/g, String.raw`\$&`)
        const bytes = Buffer.from(`FN:${escaped}`).toString('latin1')
        const folded = bytes.length > at + 3 ? `${bytes.slice(0, at + 3)}${end} ${bytes.slice(at + 3)}` : bytes
        const soft = quoted(name).replaceAll(/((?:=..){5})(?!$)/g, `$1=${end}`)
        const line = isOld ? `FN;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:${soft}` : folded
        const content = [
          'BEGIN:VCARD',
          `VERSION:${isOld ? '2.1' : '3.0'}`,
          line,
          'TEL:+919876543210',
          'END:VCARD',
        ].join(end)
        expect(await first(Buffer.from(content, 'latin1'))).toEqual({
          Name: isOld ? oldPlain(name) : name,
          Phone: '+919876543210',
        })
      },
    ),
  )
})

/** Version 2.1 reads these two as an escape, whatever program has written them. */
const oldPlain = (text: string) => text.replaceAll(/\\([\\;,:])/g, '$1').trim()
