import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import { z } from 'zod'
import { type Sendable, sendBody } from '../../../whatsapp/send-body.ts'
import type { ContactsService } from '../../contacts/contacts.service.ts'
import type { MessageRecord, MessagesRepository } from '../../inbox/messages/messages.service.ts'
import type { OutboundMedia } from '../../media/outbound-media.ts'
import type { LinkTokens } from '../link-tokens.ts'

const media = { mediaId: z.string(), caption: z.string().optional() }
const contentSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.enum(['image', 'video']), ...media }),
  z.object({ type: z.literal('document'), ...media, fileName: z.string() }),
  z.object({ type: z.literal('audio'), mediaId: z.string(), voice: z.boolean().optional() }),
  z.object({ type: z.literal('sticker'), mediaId: z.string() }),
  z.object({
    type: z.literal('location'),
    latitude: z.number(),
    longitude: z.number(),
    name: z.string().optional(),
    address: z.string().optional(),
  }),
  z.object({
    type: z.literal('contacts'),
    contacts: z.array(z.object({ name: z.string(), phones: z.array(z.string()) })),
  }),
  z.object({
    type: z.literal('interactive'),
    text: z.string(),
    footer: z.string().optional(),
    button: z.string().optional(),
    options: z.array(z.object({ id: z.string(), title: z.string(), description: z.string().optional() })),
    flow: z.object({ id: z.string(), screen: z.string().optional(), token: z.string() }).optional(),
  }),
  z.object({
    type: z.literal('template'),
    name: z.string(),
    language: z.string(),
    components: z.array(z.record(z.string(), z.unknown())).default([]),
    links: z.array(z.object({ index: z.number() })).default([]),
    /** A place and a product are among the components. */
    header: z
      .discriminatedUnion('kind', [
        z.object({
          kind: z.enum(['image', 'video', 'document']),
          mediaId: z.string(),
          fileName: z.string().optional(),
        }),
        z.object({ kind: z.enum(['location', 'product']) }),
      ])
      .optional(),
    cards: z
      .array(z.object({ header: z.object({ kind: z.enum(['image', 'video']), mediaId: z.string() }).optional() }))
      .optional(),
  }),
])
type Content = z.infer<typeof contentSchema>

/** Returns what is sent for a message, its files by internal ids; `undefined` for what cannot be sent. */
export function sendableOf(message: MessageRecord, tokenOf: LinkTokens['of']): Sendable | undefined {
  if (message.direction === 'inbound') return reactionOf(message)
  const { data } = contentSchema.safeParse(message.content)
  if (data?.type !== 'template') return data && inPlatformTerms(data)
  const { id: messageId, workspaceId } = message
  const { links, components, header, cards, ...template } = data
  const tokens = links.map(({ index }) => {
    const parameter = { type: 'text', text: tokenOf({ workspaceId, messageId, index }) }
    return { type: 'button', sub_type: 'url', index: String(index), parameters: [parameter] }
  })
  const file = header && 'mediaId' in header ? header : undefined
  return {
    ...template,
    components: [...components, ...tokens],
    ...(file && { header: file }),
    ...(cards && { cards: cards.flatMap((card) => card.header ?? []) }),
  }
}

/** A file that leaves with a message, by our own id, and its name as a customer sees it. */
export interface MessageFile {
  readonly mediaId: string
  readonly fileName: string
}

/** Returns the files that leave with a message: one at most, but for a carousel. */
export function filesOf({ direction, content }: MessageRecord): MessageFile[] {
  if (direction !== 'outbound') return []
  const cards = content.type === 'template' && Array.isArray(content['cards']) ? content['cards'] : []
  const headers = cards.map((card: unknown) => headerOf(card))
  return [(content.type === 'template' && headerOf(content)) || content, ...headers].flatMap((holder) => {
    const [mediaId, fileName] = [holder?.['mediaId'], holder?.['fileName']]
    if (typeof mediaId !== 'string') return []
    return [{ mediaId, fileName: typeof fileName === 'string' ? fileName : content.type }]
  })
}

const headerSchema = z.object({ header: z.record(z.string(), z.unknown()) })

/** Returns the header of a template or card, if it is not text. */
const headerOf = (holder: unknown): Record<string, unknown> | undefined => headerSchema.safeParse(holder).data?.header

/**
 * The same with its files as the platform knows them; `undefined` until it does.
 * @param known the platform's ids of files, by ours.
 */
export function withFiles(sendable: Sendable | undefined, known: ReadonlyMap<string, string>): Sendable | undefined {
  if (!sendable) return undefined
  if (sendable.type === 'template') {
    const { header, cards } = sendable
    const above = header && atPlatform(header, known)
    const onCards = cards?.flatMap((card) => atPlatform(card, known) ?? [])
    if ((header && !above) || onCards?.length !== cards?.length) return undefined
    return { ...sendable, ...(above && { header: above }), ...(onCards && { cards: onCards }) }
  }
  return 'mediaId' in sendable ? atPlatform(sendable, known) : sendable
}

function atPlatform<T extends { readonly mediaId: string }>(
  file: T,
  known: ReadonlyMap<string, string>,
): T | undefined {
  const mediaId = known.get(file.mediaId)
  return mediaId === undefined ? undefined : { ...file, mediaId }
}

/** Returns our reaction, which is the work on a customer's message. */
function reactionOf({ waMessageId, reactions }: MessageRecord): Sendable | undefined {
  const ours = reactions?.find(({ by }) => by === 'member')
  return waMessageId !== undefined && ours ? { type: 'reaction', waMessageId, emoji: ours.emoji } : undefined
}

function inPlatformTerms(content: Exclude<Content, { type: 'template' }>): Sendable {
  if (content.type !== 'interactive')
    return content.type === 'audio' ? { ...content, voice: content.voice ?? false } : content
  const { text, footer, button, options, flow } = content
  if (flow) return { type: 'flow', text, button: button ?? '', ...flow }
  return button === undefined
    ? { type: 'buttons', text, footer, options }
    : { type: 'list', text, button, options: options.map((option) => ({ description: undefined, ...option })) }
}

interface Dependencies {
  readonly contactRecords: Pick<ContactsService, 'shown'>
  readonly messageRecords: Pick<MessagesRepository, 'readMany'>
  readonly outboundMedia: Pick<OutboundMedia, 'known'>
}

/**
 * Rebuilds the request body of an outbound message from what is stored: no copy of it is kept. The tokens of counted links are
 * left out, as anyone who has one counts as a visitor; a file that WhatsApp does not know yet counts as missing.
 * @returns undefined for what cannot be sent.
 */
export function createRequestOf({ contactRecords, messageRecords, outboundMedia }: Dependencies) {
  return async function requestOf(scope: WorkspaceScope, message: MessageRecord): Promise<object | undefined> {
    const ids = filesOf(message).map(({ mediaId }) => mediaId)
    const [people, quoted, files] = await Promise.all([
      contactRecords.shown(scope, [message.contactId]),
      message.replyTo === undefined ? [] : messageRecords.readMany(scope, [message.replyTo]),
      outboundMedia.known(scope, message.numberId, ids),
    ])
    const contact = people.get(message.contactId)
    const { phone, waUserId: userId } = contact ?? {}
    const content = withFiles(
      sendableOf(message, () => '…'),
      files,
    )
    if (!content || (phone === undefined && userId === undefined)) return undefined
    return sendBody({ phone, userId }, content, { callbackData: message.id, replyTo: quoted[0]?.waMessageId })
  }
}
