import { expect, test } from 'vitest'
import { fileOf } from './file-of.ts'
import { encodingOf, encodingSamples, textOf } from './file-text.ts'

const utf16 = (text: string, little: boolean) =>
  Uint8Array.from(
    [...`\uFEFF${text}`].flatMap((letter) => {
      const code = letter.charCodeAt(0)
      return little ? [code & 255, code >> 8] : [code >> 8, code & 255]
    }),
  )

async function read(bytes: Uint8Array | string, name = 'people.csv') {
  const file = fileOf(bytes)
  const encoding = await encodingOf(file, Buffer.from(bytes), name)
  let text = ''
  for await (const part of textOf(file(), encoding)) text += part.text
  return { encoding, text }
}

test.each([
  ['UTF-8', new TextEncoder().encode('Zoë'), 'utf-8'],
  ['UTF-8 with a byte order mark', new TextEncoder().encode('\uFEFFZoë'), 'utf-8'],
  ['UTF-16 LE', utf16('Zoë', true), 'utf-16le'],
  ['UTF-16 BE', utf16('Zoë', false), 'utf-16be'],
  ['UTF-16 LE without a mark', utf16('Zoe;1', true).slice(2), 'utf-16le', 'Zoe;1'],
  ['Windows-1252', Uint8Array.from([0x5a, 0x6f, 0xeb]), 'windows-1252'],
])('%s is recognised and read without its mark', async (_, bytes, encoding, text = 'Zoë') => {
  expect(await read(Uint8Array.from(bytes))).toEqual({ encoding, text })
})

test('letters and line ends that two pieces share stay whole', async () => {
  const long = `${'a'.repeat(65_535)}ë\r\n${'b'.repeat(65_533)}\r\nप्रिया\rend`
  expect((await read(long)).text).toBe(long.replace(/\r\n?/g, '\n'))
})

test.each([
  ['a picture', '\u0089PNG\u0000', 'people.csv', 'is not a text file'],
  ['a PDF', '%PDF-1.7', 'people.csv', 'is not a text file'],
])('%s is refused in words', async (_, content, name, words) => {
  await expect(read(content, name)).rejects.toThrow(words)
})

test('a stray control byte, or a letter that was cut, changes nothing else', async () => {
  expect(await read('Zoë\u0002;+9198\u001a')).toEqual({ encoding: 'utf-8', text: 'Zoë;+9198' })
  const cut = Buffer.concat([Buffer.from(`${'प्रिया,'.repeat(20)}\n`), Buffer.from([0xe0, 0xa4])])
  expect((await read(cut)).encoding).toBe('utf-8')
})

test.each([
  ['windows-1250', [0x9c, 0xb3], 'śł'],
  ['windows-1251', [0xc8, 0xe2, 0xe0, 0xed], 'Иван'],
  ['windows-1254', [0xdd, 0xfe], 'İş'],
  ['windows-1255', [0xf9, 0xec], 'של'],
  ['windows-1256', [0xe1, 0xed, 0xe1, 0xec], 'ليلى'],
  ['windows-874', [0xa1, 0xa2], 'กข'],
  ['gb18030', [0xcd, 0xf5, 0xd0, 0xa1, 0xc3, 0xf7], '王小明'],
  ['shift_jis', [0x93, 0x63, 0x92, 0x86], '田中'],
] as const)('a file in %s is among those that are shown to choose from', (encoding, bytes, text) => {
  const file = Buffer.concat([Buffer.from('Name,Phone\n'), Buffer.from(bytes), Buffer.from(',9876543210\nRavi,1\n')])
  expect(encodingSamples(file)).toContainEqual({ encoding, sample: `${text},9876543210` })
})

test('a file of plain letters leaves nothing to choose', () => {
  expect(encodingSamples(Buffer.from('Name,Phone\nAsha,1\n'))).toEqual([])
})
