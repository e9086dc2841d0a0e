import { plainFileName } from '../../whatsapp/file-name.ts'
import type { InboundMessage } from '../../whatsapp/inbound-message.ts'
import { flowAnswers } from '../messages/flow-answers.ts'
import { storedItem } from '../messages/order-items.ts'

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
        contacts: content.value.slice(0, 10).map(({ name, phones, org, emails }) => ({
          name: name.formatted_name ?? name.first_name ?? org?.company ?? 'Contact',
          phones: phones.flatMap(({ phone, wa_id: waId }) => phone ?? (waId ? `+${waId}` : [])).slice(0, 10),
          ...(org?.company && { company: org.company }),
          ...(emails.length > 0 && { emails: emails.flatMap(({ email }) => email || []).slice(0, 10) }),
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
      return { type: 'order', text: content.value.text ?? '', items: content.value.product_items.map(storedItem) }
    case 'system':
      return systemOf(content.value)
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

function interactiveOf(value: Interactive): StoredContent {
  const { button_reply: button, list_reply: list, nfm_reply: flow, call_permission_reply: calls } = value
  const options: never[] = []
  const chosen = button ?? list
  if (chosen)
    return defined({
      type: 'interactive',
      text: chosen.title,
      options,
      chosen: chosen.id,
      description: list?.description,
    })
  if (calls) {
    const response = calls.response ?? 'answered'
    return { type: 'interactive', text: callAnswers[response] ?? 'Answered about calls', options, chosen: response }
  }
  return defined({
    type: 'interactive',
    text: flow?.body ?? 'Answered a form',
    options,
    answers: flowAnswers(flow?.response_json),
    form: flow?.name === 'flow' ? undefined : flow?.name,
  })
}

const callAnswers: Readonly<Record<string, string>> = { accept: 'May be called', reject: 'Does not want to be called' }

type System = Extract<InboundMessage['content'], { type: 'system' }>['value']

function systemOf({ type, body, wa_id: waId, new_wa_id: newWaId }: System): StoredContent {
  const moved = waId ?? newWaId
  return defined({
    type: 'system',
    text: (body ?? systemWords[type] ?? type).slice(0, 300),
    change: type,
    phone: type === 'user_changed_number' && moved !== undefined ? `+${moved}` : undefined,
  })
}

/** Where WhatsApp gives a change no words. */
const systemWords: Readonly<Record<string, string>> = {
  user_changed_number: 'The customer has changed their phone number',
  user_changed_user_id: 'The customer has a new WhatsApp user id',
  customer_identity_changed: 'The security code of the customer has changed',
}

const defined = (fields: StoredContent): StoredContent => ({
  ...Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)),
  type: fields.type,
})
