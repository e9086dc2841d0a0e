import { errorCodes } from '../../../whatsapp/error-codes.ts'

const names: Record<string, string> = {
  image: 'Photo',
  video: 'Video',
  audio: 'Audio',
  document: 'Document',
  sticker: 'Sticker',
  location: 'Location',
  contacts: 'Contact',
  order: 'Order',
  template: 'Template',
  unsupported: 'Message that cannot be shown',
}
const longest = 300

/** Returns the one-line summary of a message in a list. */
export function summaryLine(
  content: { readonly type: string; readonly [field: string]: unknown },
  deletedAt?: Date | undefined,
): string {
  if (deletedAt) return 'This message was deleted'
  const isTooLarge = content.type === 'unsupported' && content['errorCode'] === errorCodes.fileNotFetched
  if (isTooLarge) return 'File that is too large'
  const words = ['text', 'caption', 'title']
    .map((field) => content[field])
    .find((value) => typeof value === 'string' && value)
  const line = typeof words === 'string' ? words : (names[content.type] ?? content.type)
  return line.replace(/\s+/g, ' ').slice(0, longest)
}
