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
    /** A place is among the components. */
    header: z
      .discriminatedUnion('kind', [
        z.object({
          kind: z.enum(['image', 'video', 'document']),
          mediaId: z.string(),
          fileName: z.string().optional(),
        }),
        z.object({ kind: z.literal('location') }),
      ])
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
  const { links, components, header, ...template } = data
  const tokens = links.map(({ index }) => {
    const parameter = { type: 'text', text: tokenOf({ workspaceId, messageId, index }) }
    return { type: 'button', sub_type: 'url', index: String(index), parameters: [parameter] }
  })
  const file = header?.kind === 'location' ? undefined : header
  return { ...template, components: [...components, ...tokens], ...(file && { header: file }) }
}

/** Our own id of the file that leaves with a message. */
export function fileOf({ direction, content }: MessageRecord): string | undefined {
  const { mediaId } = headerOf(content) ?? content
  return direction === 'outbound' && typeof mediaId === 'string' ? mediaId : undefined
}

/** Returns the header of a template, if it is not text. */
const headerOf = ({ type, header }: MessageRecord['content']): Record<string, unknown> | undefined =>
  type === 'template' && typeof header === 'object' && header !== null ? { ...header } : undefined

/** The same with the file as the platform knows it; `undefined` until it does. */
export function withFile(sendable: Sendable | undefined, file: string | undefined, waMediaId: string | undefined) {
  if (!sendable || file === undefined) return sendable
  if (sendable.type === 'template')
    return waMediaId === undefined || !sendable.header
      ? undefined
      : { ...sendable, header: { ...sendable.header, mediaId: waMediaId } }
  return waMediaId === undefined || !('mediaId' in sendable) ? undefined : { ...sendable, mediaId: waMediaId }
}

/** A file as a customer sees its name. */
export function fileNameOf(content: MessageRecord['content']): string {
  const { fileName } = headerOf(content) ?? content
  return typeof fileName === 'string' ? fileName : content.type
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
    const file = fileOf(message)
    const [people, quoted, files] = await Promise.all([
      contactRecords.shown(scope, [message.contactId]),
      message.replyTo === undefined ? [] : messageRecords.readMany(scope, [message.replyTo]),
      file === undefined ? new Map<string, string>() : outboundMedia.known(scope, message.numberId, [file]),
    ])
    const contact = people.get(message.contactId)
    const { phone, waUserId: userId } = contact ?? {}
    const content = withFile(
      sendableOf(message, () => '…'),
      file,
      file === undefined ? undefined : files.get(file),
    )
    if (!content || (phone === undefined && userId === undefined)) return undefined
    return sendBody({ phone, userId }, content, { callbackData: message.id, replyTo: quoted[0]?.waMessageId })
  }
}
