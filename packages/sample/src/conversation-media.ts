import type { MessageContent } from '@parley/contracts/inbox/messages'
import type { SampleFile } from './media-files.ts'

/** Returns the file with its address for the page. A workspace has the file under an id of its own. */
const stored = (mediaId: SampleFile, mimeType: string, sizeBytes: number) => ({
  mediaId,
  url: `/api/media/${mediaId}`,
  mimeType,
  sizeBytes,
})

const photo = (mediaId: SampleFile, sizeBytes: number, caption?: string): MessageContent => ({
  type: 'image',
  ...stored(mediaId, 'image/png', sizeBytes),
  width: 960,
  height: 720,
  ...(caption && { caption }),
})

const document = (fileName: string, mediaId: SampleFile, sizeBytes: number): MessageContent => ({
  type: 'document',
  ...stored(mediaId, 'application/pdf', sizeBytes),
  fileName,
})

/** Content that people send beside text. A recording or film has no `url`: the sample ships none. */
export const media = {
  kettle: (caption?: string) => photo('sample-kettle', 8353, caption),
  tins: (caption?: string) => photo('sample-tins', 4646, caption),
  brokenCup: (caption?: string) => photo('sample-broken-cup', 6799, caption),
  sticker: (): MessageContent => ({
    type: 'sticker',
    ...stored('sample-smile', 'image/webp', 9642),
    width: 512,
    height: 512,
  }),
  voice: (): MessageContent => ({ type: 'audio', url: '', mimeType: 'audio/ogg', sizeBytes: 42_118, voice: true }),
  video: (caption: string): MessageContent => ({
    type: 'video',
    url: '',
    mimeType: 'video/mp4',
    sizeBytes: 2_418_334,
    caption,
  }),
  invoice: () => document('Invoice {order}.pdf', 'sample-invoice', 506),
  priceList: () => document('Chai & Co wholesale price list.pdf', 'sample-price-list', 519),
} as const
