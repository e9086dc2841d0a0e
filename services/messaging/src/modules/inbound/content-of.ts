import { omitUndefined } from '@parley/service-kit/core/omit-undefined'
import { cardOfVcard } from '../../whatsapp/card-of-vcard.ts'
import { plainFileName } from '../../whatsapp/file-name.ts'
import type { InboundMessage } from '../../whatsapp/inbound-message.ts'
import { flowAnswers, flowToken } from '../inbox/messages/flow-answers.ts'
import { storedItem } from '../inbox/messages/order-items.ts'

export interface StoredContent {
  readonly type: string
  readonly [field: string]: unknown
}

/** Returns the stored form of an inbound message, in the contracts' terms; of an edited file its new caption. */
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
      return stored({
        type: content.type,
        waMediaId: id,
        // There is nothing to fetch.
        state: id === undefined ? 'failed' : undefined,
        mimeType,
        caption,
        fileName: filename && plainFileName(filename),
        voice,
        animated,
      })
    }
    case 'location': {
      const { place: location, name, address, url } = content.value
      const words = [name, address, url].filter(Boolean).join('\n')
      if (location) return stored({ type: 'location', ...location, name, address, url })
      return words === '' ? unreadable('location') : { type: 'text', text: words }
    }
    case 'contacts':
      return content.value.length === 0
        ? unreadable('contacts')
        : { type: 'contacts', contacts: content.value.slice(0, 10).map(cardOf) }
    case 'interactive':
      return interactiveOf(content.value)
    case 'button': {
      const { payload, text, card } = content.value
      const chosen = payload ?? text
      if (chosen === undefined) return unreadable('button')
      return stored({ type: 'interactive', text: text ?? chosen, options: [], chosen, card })
    }
    case 'order': {
      const { text = '', product_items: items } = content.value
      return text === '' && items.length === 0
        ? unreadable('order')
        : { type: 'order', text, items: items.map(storedItem) }
    }
    case 'system':
      return systemOf(content.value)
    case 'missed_call':
      return { type: 'system', text: 'Missed call', change: content.type }
    // Reactions and the like are kept with the message that they are about.
    case 'reaction':
    case 'edit':
    case 'revoke':
    case 'answered_call':
    case 'none':
      return unreadable(content.type)
    case 'unsupported':
      return stored({ type: 'unsupported', named: content.named, errorCode: content.errorCode })
  }
}

const unreadable = (named: string): StoredContent => ({ type: 'unsupported', named })

type ReadCard = Extract<InboundMessage['content'], { type: 'contacts' }>['value'][number]

/** Returns what WhatsApp has read of a card, with gaps filled from its vCard. */
function cardOf({ name, phones, org, emails, vcard }: ReadCard) {
  const read = cardOfVcard(vcard ?? '')
  const numbers = phones.flatMap(({ phone, wa_id: waId }) => phone ?? (waId ? `+${waId}` : []))
  const addresses = emails.flatMap(({ email }) => email || [])
  const company = org?.company ?? read.company
  const title = name.formatted_name || name.first_name || read.name || company
  const mails = (addresses.length > 0 ? addresses : read.emails).map((mail) => mail.slice(0, 254))
  return {
    name: (title ?? 'Contact').slice(0, 200),
    phones: (numbers.length > 0 ? numbers : read.phones).slice(0, 10).map((phone) => phone.slice(0, 40)),
    ...(company && { company: company.slice(0, 200) }),
    ...(mails.length > 0 && { emails: mails.slice(0, 10) }),
  }
}

type Interactive = Extract<InboundMessage['content'], { type: 'interactive' }>['value']

function interactiveOf(value: Interactive): StoredContent {
  const { button_reply: button, list_reply: list, nfm_reply: flow, call_permission_reply: calls } = value
  const options: never[] = []
  const { id, title } = button ?? list ?? {}
  const chosen = id ?? title
  if (chosen !== undefined)
    return stored({ type: 'interactive', text: title ?? chosen, options, chosen, description: list?.description })
  if (calls) {
    const response = calls.response ?? 'answered'
    return { type: 'interactive', text: callAnswers[response] ?? 'Answered about calls', options, chosen: response }
  }
  if (!flow) return unreadable('interactive')
  return stored({
    type: 'interactive',
    text: flow.body ?? 'Answered a form',
    options,
    answers: flowAnswers(flow.response_json),
    token: flowToken(flow.response_json),
    form: flow.name === 'flow' ? undefined : flow.name,
  })
}

const callAnswers: Readonly<Record<string, string>> = { accept: 'May be called', reject: 'Does not want to be called' }

type System = Extract<InboundMessage['content'], { type: 'system' }>['value']

function systemOf({ type, body, wa_id: waId, new_wa_id: newWaId }: System): StoredContent {
  const moved = waId ?? newWaId
  return stored({
    type: 'system',
    text: (body ?? systemLabels[type] ?? type).slice(0, 300),
    change: type,
    phone: type === 'user_changed_number' && moved !== undefined ? `+${moved}` : undefined,
  })
}

/** Labels of changes to which WhatsApp gives no words. */
const systemLabels: Readonly<Record<string, string>> = {
  user_changed_number: 'The customer has changed their phone number',
  user_changed_user_id: 'The customer has a new WhatsApp user id',
  customer_identity_changed: 'The security code of the customer has changed',
}

const stored = (fields: StoredContent): StoredContent => ({ ...omitUndefined(fields), type: fields.type })
