import { Readable } from 'node:stream'
import { inspectUpload } from '@parley/service-kit/media/inspect-upload'
import sharp, { type Sharp } from 'sharp'
import { expect, test } from 'vitest'
import { kindFound, typeAtWhatsApp, whyUnplayable } from './playable.ts'

const picture = () => sharp({ create: { width: 40, height: 20, channels: 3, background: '#3a7' } })
async function inspected(made: Sharp) {
  const content = Readable.from([await made.toBuffer()])
  const { atEnd, content: all, ...size } = await inspectUpload({ content, accept: 'any', limitBytes: 1_000_000 })
  all.resume()
  return { ...atEnd(), ...size }
}

test('pictures that WhatsApp does not show are refused with the reason, and go as documents', async () => {
  const print = await inspected(picture().toColourspace('cmyk').jpeg())
  expect(whyUnplayable('image', print)).toContain('CMYK')
  const deep = await inspected(picture().toColourspace('rgb16').png())
  expect(whyUnplayable('image', deep)).toContain('This one has 16')
  for (const found of [print, deep]) expect(whyUnplayable('document', found)).toBeUndefined()
  for (const usual of [
    picture().jpeg(),
    picture().png(),
    picture().png({ palette: true }),
    picture().greyscale().jpeg(),
  ])
    expect(whyUnplayable('image', await inspected(usual))).toBeUndefined()
})

test('a sticker that does not move has up to 100 KB, one that moves up to 500 KB', async () => {
  const still = await inspected(picture().webp())
  const moving = { ...still, traits: { isAnimated: true } }
  expect(still.traits).toEqual({ isAnimated: false })
  expect(whyUnplayable('sticker', { ...still, sizeBytes: 300 * 1024 })).toContain('up to 100 KB')
  expect(whyUnplayable('sticker', { ...still, sizeBytes: 100 * 1024 })).toBeUndefined()
  expect(whyUnplayable('sticker', { ...moving, sizeBytes: 300 * 1024 })).toBeUndefined()
})

test('a photo that was turned has the size in which it is shown', async () => {
  const turned = { widthPx: 20, heightPx: 40 }
  expect(await inspected(picture().withMetadata({ orientation: 6 }).jpeg())).toMatchObject(turned)
  expect(await inspected(picture().withMetadata({ orientation: 8 }).png())).toMatchObject(turned)
  expect(await inspected(picture().withMetadata({ orientation: 3 }).jpeg())).toMatchObject({ widthPx: 40 })
})

test.each([
  ['video', 'video/mp4', { videoCodecs: ['avc1'], audioCodecs: ['mp4a'] }, undefined],
  ['video', 'video/mp4', { videoCodecs: ['avc1'], audioCodecs: [] }, undefined],
  ['video', 'video/mp4', { videoCodecs: ['hvc1'], audioCodecs: ['mp4a'] }, /HEVC.*H\.264/],
  ['video', 'video/mp4', { videoCodecs: ['av01'], audioCodecs: [] }, /AV1/],
  ['video', 'video/mp4', { videoCodecs: ['avc1'], audioCodecs: ['ac-3'] }, /Dolby/],
  ['video', 'video/mp4', { videoCodecs: ['avc1'], audioCodecs: ['mp4a', 'mp4a'] }, /several/],
  ['audio', 'audio/mp4', { videoCodecs: [], audioCodecs: ['alac'] }, /Apple Lossless/],
  ['audio', 'audio/ogg', { audioCodecs: ['opus'] }, undefined],
  ['audio', 'audio/ogg', { audioCodecs: ['vorbis'] }, /Vorbis.*Opus/],
  ['audio', 'audio/ogg', { audioCodecs: ['flac'] }, /FLAC/],
  ['audio', 'audio/ogg', { audioCodecs: ['speex'] }, /Speex/],
  ['audio', 'audio/mpeg', {}, undefined],
  ['document', 'video/mp4', { videoCodecs: ['hvc1'] }, undefined],
] as const)('as %s, %s with %j', (kind, type, traits, reason) => {
  const why = whyUnplayable(kind, { type, traits })
  if (reason) expect(why).toMatch(reason)
  else expect(why).toBeUndefined()
})

test('an MP4 file goes as what it is, other files as they are asked for', () => {
  expect([kindFound('video', 'audio/mp4'), kindFound('audio', 'video/mp4')]).toEqual(['audio', 'video'])
  expect([kindFound('document', 'audio/mp4'), kindFound(undefined, 'image/png')]).toEqual(['document', 'image'])
})

test('a workbook or a presentation with a password is not sent as a Word file', () => {
  const typeOf = (name: string) => typeAtWhatsApp('application/x-cfb', name)
  expect([typeOf('Prices.XLSX'), typeOf('prices.xls')]).toEqual([
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    'application/vnd.ms-excel',
  ])
  expect(typeOf('plan.pptx')).toContain('presentationml')
  expect([typeOf('letter.docx'), typeOf('letter.doc')]).toEqual([
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    'application/msword',
  ])
  expect(typeAtWhatsApp('audio/x-m4a', 'a.m4a')).toBe('audio/mp4')
})
