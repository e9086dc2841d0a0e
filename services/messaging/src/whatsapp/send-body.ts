import { omitUndefined } from '@parley/service-kit/core/omit-undefined'
import { z } from 'zod'

/** A recipient: a phone number, or the business-scoped id of a person who hides it. */
export interface Recipient {
  /** Phone number in E.164. */
  readonly phone?: string | undefined
  readonly userId?: string | undefined
}

interface UploadedMedia {
  /** Id that `POST /{number}/media` has answered. */
  readonly mediaId: string
  readonly caption?: string | undefined
}

interface TemplateFile {
  readonly kind: 'image' | 'video' | 'document'
  readonly mediaId: string
  readonly fileName?: string | undefined
}

/** Messages that can be sent, with everything that the platform needs of them. */
export type Sendable =
  | { readonly type: 'text'; readonly text: string; readonly previewUrl?: boolean }
  | ({ readonly type: 'image' | 'video' } & UploadedMedia)
  | ({ readonly type: 'audio'; readonly voice?: boolean } & UploadedMedia)
  | ({ readonly type: 'document'; readonly fileName: string } & UploadedMedia)
  | ({ readonly type: 'sticker' } & UploadedMedia)
  | {
      readonly type: 'location'
      readonly latitude: number
      readonly longitude: number
      readonly name?: string | undefined
      readonly address?: string | undefined
    }
  | { readonly type: 'contacts'; readonly contacts: readonly { name: string; phones: readonly string[] }[] }
  | {
      readonly type: 'buttons'
      readonly text: string
      readonly footer?: string | undefined
      readonly options: readonly { id: string; title: string }[]
    }
  | {
      readonly type: 'list'
      readonly text: string
      readonly button: string
      readonly options: readonly { id: string; title: string; description?: string | undefined }[]
    }
  /** A form; `token` comes back with its answers. */
  | {
      readonly type: 'flow'
      readonly text: string
      readonly button: string
      readonly id: string
      readonly screen?: string | undefined
      readonly token: string
    }
  | { readonly type: 'reaction'; readonly waMessageId: string; readonly emoji: string }
  | {
      readonly type: 'template'
      readonly name: string
      readonly language: string
      readonly components: readonly object[]
      /** The file of its header. */
      readonly header?: TemplateFile | undefined
      /** The files of its cards, in their order. */
      readonly cards?: readonly TemplateFile[] | undefined
    }

/**
 * The body of `POST /{phone-number-id}/messages`.
 * Source: WhatsApp Business Platform, Cloud API reference, messages.
 * @param options.callbackData comes back with every status: our own id of the message.
 */
export function sendBody(
  recipient: Recipient,
  content: Sendable,
  { callbackData, replyTo }: { callbackData: string; replyTo?: string | undefined },
): object {
  return {
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    ...addressOf(recipient),
    ...(replyTo !== undefined && content.type !== 'reaction' && { context: { message_id: replyTo } }),
    biz_opaque_callback_data: callbackData,
    ...bodyOf(content),
  }
}

function addressOf({ phone, userId }: Recipient): object {
  if (phone !== undefined) return { to: phone }
  if (userId !== undefined) return { recipient: userId }
  throw new Error('a recipient has a phone number or a user id')
}

function bodyOf(content: Sendable): object {
  switch (content.type) {
    case 'text':
      return { type: 'text', text: { body: content.text, preview_url: content.previewUrl ?? true } }
    case 'image':
    case 'video':
      return { type: content.type, [content.type]: mediaOf(content) }
    case 'audio':
      return { type: 'audio', audio: { id: content.mediaId, ...(content.voice && { voice: true }) } }
    case 'document':
      return { type: 'document', document: { ...mediaOf(content), filename: content.fileName } }
    case 'sticker':
      return { type: 'sticker', sticker: { id: content.mediaId } }
    case 'location': {
      const { latitude, longitude, name, address } = content
      return { type: 'location', location: omitUndefined({ latitude, longitude, name, address }) }
    }
    case 'contacts':
      return { type: 'contacts', contacts: content.contacts.map(cardOf) }
    case 'buttons':
      return { type: 'interactive', interactive: buttonsOf(content) }
    case 'list':
      return { type: 'interactive', interactive: listOf(content) }
    case 'flow':
      return { type: 'interactive', interactive: flowOf(content) }
    case 'reaction':
      return { type: 'reaction', reaction: { message_id: content.waMessageId, emoji: content.emoji } }
    case 'template': {
      const { name, language, header, cards = [] } = content
      const components = [
        ...(header ? [fileComponent(header)] : []),
        ...content.components.map((component) => withCardFiles(component, cards)),
      ]
      return {
        type: 'template',
        template: { name, language: { code: language }, ...(components.length > 0 && { components }) },
      }
    }
  }
}

function fileComponent({ kind, mediaId, fileName }: TemplateFile): object {
  const file = { id: mediaId, ...(kind === 'document' && fileName !== undefined && { filename: fileName }) }
  return { type: 'header', parameters: [{ type: kind, [kind]: file }] }
}

/** Puts the files of cards above their texts; a component of another kind stays as it is. */
function withCardFiles(component: object, files: readonly TemplateFile[]): object {
  const { data } = carouselSchema.safeParse(component)
  if (!data) return component
  const cards = data.cards.map((card, index) => {
    const file = files[index]
    return { ...card, components: [...(file ? [fileComponent(file)] : []), ...card.components] }
  })
  return { ...data, cards }
}

const carouselSchema = z.looseObject({
  type: z.literal('carousel'),
  cards: z.array(z.looseObject({ components: z.array(z.unknown()) })),
})

const mediaOf = ({ mediaId, caption }: UploadedMedia) => ({ id: mediaId, ...(caption && { caption }) })

const cardOf = ({ name, phones }: { name: string; phones: readonly string[] }) => ({
  name: { formatted_name: name, first_name: name.split(' ')[0] },
  phones: phones.map((phone) => ({ phone, type: 'CELL' })),
})

const buttonsOf = ({ text, footer, options }: Extract<Sendable, { type: 'buttons' }>) => ({
  type: 'button',
  body: { text },
  ...(footer && { footer: { text: footer } }),
  action: { buttons: options.map(({ id, title }) => ({ type: 'reply', reply: { id, title } })) },
})

const listOf = ({ text, button, options }: Extract<Sendable, { type: 'list' }>) => ({
  type: 'list',
  body: { text },
  action: { button, sections: [{ rows: options.map((option) => omitUndefined(option)) }] },
})

/** Opens on its own first screen unless one is named. */
const flowOf = ({ text, button, id, screen, token }: Extract<Sendable, { type: 'flow' }>) => ({
  type: 'flow',
  body: { text },
  action: {
    name: 'flow',
    parameters: {
      flow_message_version: '3',
      flow_id: id,
      flow_cta: button,
      flow_token: token,
      flow_action: 'navigate',
      ...(screen !== undefined && { flow_action_payload: { screen } }),
    },
  },
})
