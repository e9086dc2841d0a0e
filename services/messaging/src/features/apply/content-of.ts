import { plainFileName } from '../../whatsapp/file-name.ts'
import type { InboundMessage } from '../../whatsapp/inbound-message.ts'

export interface StoredContent {
  readonly type: string
  readonly [field: string]: unknown
}

/** What is stored of an inbound message, in the words of our own contracts; of an edited file its new caption. */
export function contentOf(
  content: InboundMessage['content'] | { readonly type: 'caption'; readonly caption: string },
): StoredContent {
  switch (content.type) {
    case 'caption':
      return content
    case 'text':
      return { type: 'text', text: content.value.body }
    case 'image':
    case 'video':
    case 'audio':
    case 'document':
    case 'sticker': {
      const { id, mime_type: mimeType, caption, filename, voice, animated } = content.value
      return defined({
        type: content.type,
        waMediaId: id,
        mimeType,
        caption,
        fileName: filename && plainFileName(filename),
        voice,
        animated,
      })
    }
    case 'location': {
      const { latitude, longitude, name, address, url } = content.value
      return defined({ type: 'location', latitude, longitude, name, address, url })
    }
    case 'contacts':
      return {
        type: 'contacts',
        contacts: content.value.slice(0, 10).map(({ name, phones }) => ({
          name: name.formatted_name ?? name.first_name ?? 'Contact',
          phones: phones.flatMap(({ phone, wa_id: waId }) => phone ?? (waId ? `+${waId}` : [])).slice(0, 10),
        })),
      }
    case 'interactive':
      return interactiveOf(content.value)
    case 'button':
      return defined({
        type: 'interactive',
        text: content.value.text,
        options: [],
        chosen: content.value.payload ?? content.value.text,
      })
    case 'order':
      return { type: 'order', text: content.value.text ?? '', items: content.value.product_items }
    case 'system':
      return { type: 'system', text: content.value.body ?? content.value.type, change: content.value.type }
    // They are kept with the message that they are about.
    case 'reaction':
    case 'edit':
    case 'revoke':
      return { type: 'unsupported', named: content.type }
    case 'unsupported':
      return defined({ type: 'unsupported', named: content.named, errorCode: content.errorCode })
  }
}

type Interactive = Extract<InboundMessage['content'], { type: 'interactive' }>['value']

function interactiveOf({ button_reply: button, list_reply: list, nfm_reply: flow }: Interactive): StoredContent {
  const chosen = button ?? list
  if (chosen) return { type: 'interactive', text: chosen.title, options: [], chosen: chosen.id }
  return defined({
    type: 'interactive',
    text: flow?.body ?? 'Answered a form',
    options: [],
    answers: flow?.response_json,
  })
}

const defined = (fields: StoredContent): StoredContent => ({
  ...Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)),
  type: fields.type,
})
