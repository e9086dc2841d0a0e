import { expect, test } from 'vitest'
import { mediaName } from './chat-media.ts'

test.each([
  ['invoice.pdf', '00003-invoice.pdf'],
  ['../../etc/passwd', '00003-passwd'],
  ['C:\\Windows\\a\u0000b\u202egpj.exe', '00003-abgpj.exe'],
  ['CON<1>:*?.docx', '00003-CON 1.docx'],
  ['  ...  ', '00003-File'],
  ['offer.HTML', '00003-offer.HTML.txt'],
])('a document called %j is in the file as %j', (fileName, name) =>
  expect(mediaName(3, { type: 'application/pdf', fileName })).toEqual(name),
)

test('what has no name ends as its type does, if that is known', () => {
  expect(mediaName(12, { type: 'image/jpeg' })).toBe('00012.jpeg')
  expect(mediaName(123_456, { type: 'text/html' })).toBe('123456')
})

test('a long name is cut, and keeps its ending', () => {
  expect(mediaName(3, { type: 'application/pdf', fileName: `${'प्रि'.repeat(60)}.pdf` })).toMatch(
    /^00003-.{1,60}\.pdf$/u,
  )
})
