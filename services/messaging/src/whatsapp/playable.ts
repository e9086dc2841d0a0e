import { type MediaKind, maxStillStickerBytes, mediaKindOf } from '@parley/contracts/channel/media'
import { AppError } from '@parley/service-kit/core/errors'
import type { FoundMedia } from '@parley/service-kit/media/media-store'

type Found = Pick<FoundMedia, 'type'> & Partial<Pick<FoundMedia, 'traits'>> & { readonly sizeBytes?: number }

const codecNames: Readonly<Record<string, string>> = {
  hvc1: 'HEVC (H.265)',
  hev1: 'HEVC (H.265)',
  av01: 'AV1',
  vp08: 'VP8',
  vp09: 'VP9',
  mp4v: 'MPEG-4 Part 2',
  s263: 'H.263',
  vorbis: 'Vorbis',
  flac: 'FLAC',
  fLaC: 'FLAC',
  speex: 'Speex',
  alac: 'Apple Lossless',
  Opus: 'Opus',
  opus: 'Opus',
  samr: 'AMR',
  'ac-3': 'Dolby Digital',
  'ec-3': 'Dolby Digital Plus',
}
const nameOf = (codec: string): string => codecNames[codec] ?? 'another codec'

/**
 * Why WhatsApp does not show or play a file of this kind, though it takes its type; undefined where it does. As a document any file
 * is taken. Source: developers.facebook.com, WhatsApp Business Platform, supported media types.
 */
export function whyUnplayable(kind: MediaKind, { type, traits = {}, sizeBytes = 0 }: Found): string | undefined {
  const { videoCodecs = [], audioCodecs = [], colours, bitsPerSample = 8 } = traits
  if (kind === 'image') {
    if (colours === 'cmyk')
      return 'WhatsApp shows pictures in RGB. This one has colours for print (CMYK): save it as RGB.'
    if (bitsPerSample > 8)
      return `WhatsApp shows pictures of 8 bits. This one has ${bitsPerSample}: save it with 8 bits.`
  }
  if (kind === 'sticker' && traits.isAnimated === false && sizeBytes > maxStillStickerBytes)
    return 'WhatsApp accepts stickers that do not move up to 100 KB. Save this one smaller, or send it as a picture.'
  if (kind === 'video') {
    const other = videoCodecs.find((codec) => !['avc1', 'avc3'].includes(codec))
    if (other !== undefined) return `WhatsApp plays videos in H.264. This one is ${nameOf(other)}: save it as H.264.`
  }
  if (kind === 'video' || kind === 'audio') {
    const played = type === 'audio/ogg' ? 'opus' : 'mp4a'
    const other = audioCodecs.find((codec) => codec !== played)
    if (other !== undefined) {
      const wanted = played === 'opus' ? 'Ogg sound in Opus' : 'sound of MP4 files in AAC'
      return `WhatsApp plays ${wanted}. This one is ${nameOf(other)}: save it as ${played === 'opus' ? 'Opus' : 'AAC'}.`
    }
    if (audioCodecs.length > 1) return 'WhatsApp plays one sound track. This file has several: keep one of them.'
  }
  return undefined
}

/** Returns the kind as which a file is sent: for an MP4 file, video or audio is decided by its tracks. */
export function kindFound(asked: MediaKind | undefined, type: string): MediaKind {
  const kindOfType = mediaKindOf(type)
  const isEither = (kind: MediaKind) => kind === 'video' || kind === 'audio'
  return asked === undefined || (isEither(asked) && isEither(kindOfType)) ? kindOfType : asked
}

/** Makes the check of a file that is to be of a kind. @throws `unsupported_media_type` where WhatsApp shows or plays it on no phone. */
export const requirePlayable =
  (kind: MediaKind | undefined) =>
  (found: Found): void => {
    const problem = whyUnplayable(kindFound(kind, found.type), found)
    if (problem !== undefined) throw new AppError('unsupported_media_type', problem)
  }

const openXml = 'application/vnd.openxmlformats-officedocument'
/** Older files of Word, Excel and PowerPoint look the same inside, and so do those that they protect with a password now. */
const officeTypes: Readonly<Record<string, string>> = {
  doc: 'application/msword',
  xls: 'application/vnd.ms-excel',
  ppt: 'application/vnd.ms-powerpoint',
  docx: `${openXml}.wordprocessingml.document`,
  xlsx: `${openXml}.spreadsheetml.sheet`,
  pptx: `${openXml}.presentationml.presentation`,
}

/** Returns the platform's name of a type. Office files are distinguished by the ending of their name. */
export function typeAtWhatsApp(type: string, fileName: string): string {
  if (type === 'audio/x-m4a') return 'audio/mp4'
  if (type !== 'application/x-cfb') return type
  return officeTypes[fileName.split('.').at(-1)?.toLowerCase() ?? ''] ?? 'application/msword'
}
