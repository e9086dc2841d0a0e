import type { ImportFormat } from '@parley/contracts/contacts/import-files'
import { type OpenFile, textOf } from './file-text.ts'
import type { FileRecord, Records } from './records.ts'
import { createCardReader, linesOf, type RawCard } from './vcard-lines.ts'
import { phonesOf } from './vcard-phones.ts'
import { type Property, partsAt, plainValue, propertyOf } from './vcard-property.ts'

type Encoding = Extract<ImportFormat, { kind: 'vcard' }>['encoding']

const phoneColumns = ['Phone', 'Phone 2', 'Phone 3'] as const
const columns = [
  'Name',
  ...phoneColumns,
  'Email',
  'Email 2',
  'Birthday',
  'Note',
  'Organization',
  'Title',
  'Address',
  'Website',
  'Nickname',
  'Tags',
] as const

/**
 * The cards of a file of vCards (versions 2.1, 3.0 and 4.0, mixed as they come) as the rows of a table, whose first one names the
 * columns. `line` is where a card begins. A line that cannot be read costs that line, a card without any the card; both are told.
 */
export async function* vcardRecords(open: OpenFile, { encoding }: { encoding: Encoding }): AsyncGenerator<Records> {
  const reader = createCardReader()
  const decode = decoderOf(encoding)
  yield { records: [{ line: 1, cells: columns }], bytes: 0 }
  let at = 0
  for await (const { lines, bytes } of linesOf(bytesOf(open, encoding))) {
    at = bytes
    yield { records: reader.read(lines, false).map((card) => recordOf(card, decode)), bytes }
  }
  yield { records: reader.read([], true).map((card) => recordOf(card, decode)), bytes: at }
}

/** UTF-8 stays as it is, because a fold may lie within a letter. */
const bytesOf = (open: OpenFile, encoding: Encoding): AsyncIterable<Uint8Array> =>
  encoding.startsWith('utf-16') ? inUtf8(open, encoding) : open()

async function* inUtf8(open: OpenFile, encoding: Encoding): AsyncGenerator<Uint8Array> {
  for await (const { text } of textOf(open(), encoding)) yield Buffer.from(text)
}

/** A card may have been written by another program than the one before it. */
function decoderOf(encoding: Encoding): (bytes: Uint8Array) => string {
  const utf8 = new TextDecoder('utf-8', { fatal: true })
  const other = new TextDecoder(encoding.startsWith('utf-') ? 'windows-1252' : encoding)
  return (bytes) => {
    try {
      return utf8.decode(bytes)
    } catch {
      return other.decode(bytes)
    }
  }
}

function recordOf({ line, lines, lost }: RawCard, decode: (bytes: Uint8Array) => string): FileRecord {
  const properties = lines.flatMap((one) => propertyOf(one, decode) ?? [])
  const lostLines = lost + lines.length - properties.length
  const cells = cellsOf(properties)
  if (cells.every((cell) => cell === '')) return { line, cells, problem: 'This card cannot be read.' }
  const notes = [`${lostLines === 1 ? 'One line' : `${lostLines} lines`} of the card cannot be read.`]
  return { line, cells, ...(lostLines > 0 && { notes }) }
}

function cellsOf(properties: readonly Property[]): string[] {
  const named = (name: string) => properties.filter((property) => property.name === name)
  const version = named('VERSION')[0]?.value.trim()
  const isOld = version === undefined ? properties.some(({ hasBareWord }) => hasBareWord) : version === '2.1'
  const plain = (value: string) => plainValue(value, isOld)
  const all = (name: string) =>
    named(name)
      .map(({ value }) => plain(value))
      .filter(Boolean)
  const parts = (name: string) => named(name).map(({ value }) => partsAt(value, ';').map(plain))
  const labels = new Map(named('X-ABLABEL').map(({ group, value }) => [group, value]))
  const phones = phonesOf(properties, labels)
  const [organization = []] = parts('ORG')
  const [nickname = ''] = all('NICKNAME')
  const [email = '', otherEmail = ''] = all('EMAIL').map((address) => address.replace(/^mailto:/i, ''))
  const address = parts('ADR')[0] ?? []
  const name = all('FN')[0] ?? nameOf(parts('N')[0] ?? []) ?? (nickname || organization.filter(Boolean).join(', '))
  return [
    name.replaceAll(/\s+/g, ' '),
    ...phoneColumns.map((_, index) => phones[index] ?? ''),
    email,
    otherEmail,
    named('BDAY').map(birthdayOf)[0] ?? '',
    all('NOTE').join('\n'),
    organization.filter(Boolean).join(', '),
    all('TITLE')[0] ?? '',
    address.filter(Boolean).join(', ').replaceAll('\n', ', '),
    all('URL')[0] ?? '',
    nickname,
    tagsOf(named('CATEGORIES'), plain),
  ]
}

/** Joins the parts of a name: family, given, further names, before and after them. */
function nameOf([family = '', given = '', more = '', prefix = '', suffix = '']: readonly string[]): string | undefined {
  return [prefix, given, more, family, suffix].filter(Boolean).join(' ') || undefined
}

/** Part of its tag is a comma that is escaped; no tag of ours can hold one, nor what parts them in a cell. */
const tagsOf = (categories: readonly Property[], plain: (value: string) => string): string =>
  categories
    .flatMap(({ value }) => partsAt(value, ','))
    .map((tag) =>
      plain(tag)
        .replaceAll(/[\s,;|]+/g, ' ')
        .trim(),
    )
    .filter(Boolean)
    .join(', ')

/** `1990-02-03`, or `--02-03` without a year (ISO 8601, RFC 6350): both are written in three ways. */
function birthdayOf({ value, parameters }: Property): string {
  const written = value.trim()
  const [, year = '', month = '', day = ''] = /^(\d{4})-?(\d\d)-?(\d\d)(?:[T ].*)?$/.exec(written) ?? []
  const omitted = parameters.get('X-APPLE-OMIT-YEAR')?.[0]
  if (year !== '' && year !== '0000' && year !== omitted) return `${year}-${month}-${day}`
  if (year !== '') return `--${month}-${day}`
  return written.replace(/^--(\d\d)-?(\d\d)$/, '--$1-$2')
}
