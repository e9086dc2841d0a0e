import type { NewPublicMessage } from '@parley/contracts/platform/public-api'
import { AppError, errors } from '@parley/service-kit/core/errors'
import { isId } from '@parley/service-kit/data/plain'
import type { ActorContext } from '@parley/service-kit/http/context'
import { messageCauseOf } from '../../platform/actor-of.ts'
import type { NumbersService } from '../channel/numbers/numbers.service.ts'
import type { createContactChangesService } from '../contacts/contact-changes.service.ts'
import type { ContactsRepository, ContactsService } from '../contacts/contacts.service.ts'
import type { ConversationsService } from '../inbox/conversations/conversations.service.ts'
import type { MessagesRepository } from '../inbox/messages/messages.service.ts'
import type { OutgoingService } from '../inbox/messages/outgoing.service.ts'
import { toMessage } from '../inbox/messages/to-message.ts'
import type { TemplatesService } from '../templates/templates.service.ts'

/** Messages by phone number or contact, as programs send them. */
export function createPublicMessages(deps: {
  contacts: Pick<ContactsService, 'find'>
  contactRecords: Pick<ContactsRepository, 'read'>
  contactChanges: Pick<ReturnType<typeof createContactChangesService>, 'create'>
  conversations: Pick<ConversationsService, 'ensure'>
  numbers: Pick<NumbersService, 'list'>
  outgoing: Pick<OutgoingService, 'send'>
  templates: Pick<TemplatesService, 'approved'>
  messageRecords: Pick<MessagesRepository, 'read'>
}) {
  /**
   * Each step finds what an earlier run of the same call has made, so that a repetition sends nothing more.
   * @throws `not_found`, `window_closed`, `wrong_state`, `template_not_approved`, `quota_reached`, `validation_failed`.
   */
  async function send(ctx: ActorContext, { to, contactId: named, from, text, template, sendAt }: NewPublicMessage) {
    const number = await numberFor(ctx, from)
    const contactId = to === undefined ? await known(ctx, named ?? '') : await contactOf(ctx, to)
    const [conversationId] = (await deps.conversations.ensure(ctx, [{ numberId: number.id, contactId }])).values()
    if (conversationId === undefined) throw errors.internal()
    const { businessAccountId: accountId } = number
    const content = template
      ? await deps.templates.approved(ctx, template.id, { values: template.values, accountId })
      : { type: 'text' as const, text: text ?? '' }
    const message = await deps.outgoing.send(ctx, conversationId, {
      content,
      clientId: ctx.intent?.id,
      ...(sendAt !== undefined && { sendAt: new Date(sendAt) }),
      cause: messageCauseOf(ctx),
    })
    return { message, contactId, conversationId, from: number.id }
  }

  /** @throws `not_found`, `wrong_state` where no number is connected that the key is for. */
  async function numberFor(ctx: ActorContext, from: string | undefined) {
    const all = await deps.numbers.list(ctx)
    const own = ctx.numbers ? all.filter(({ id }) => ctx.numbers?.includes(id)) : all
    if (from !== undefined) {
      const chosen = own.find(({ id }) => id === from)
      if (!chosen) throw errors.notFound('This number is not connected, or the key is not for it.')
      return chosen
    }
    const usual = own.find(({ isDefault }) => isDefault) ?? own[0]
    if (!usual) throw errors.wrongState('No WhatsApp number is connected that this key is for.')
    return usual
  }

  async function known(ctx: ActorContext, id: string): Promise<string> {
    const contact = isId(id) ? await deps.contactRecords.read(ctx, id) : null
    if (!contact?.live) throw errors.notFound('There is no such contact.')
    return id
  }

  async function contactOf(ctx: ActorContext, phone: string): Promise<string> {
    const person = { phone, waUserId: undefined, name: undefined, username: undefined }
    const find = async () => (await deps.contacts.find(ctx, [person]))(person)
    const found = await find()
    if (found !== undefined) return found
    const made = deps.contactChanges.create(ctx, { name: phone, phone, tags: [], attributes: {} })
    const { id } = await made.catch(async (error: unknown) => {
      // Another call has just made it.
      const other = error instanceof AppError && error.code === 'contact_exists' ? await find() : undefined
      if (other === undefined) throw error
      return { id: other }
    })
    return id
  }

  /** @throws `not_found`. */
  async function read(ctx: ActorContext, id: string) {
    const message = isId(id) ? await deps.messageRecords.read(ctx, id) : null
    const isReached = message && (!ctx.numbers || ctx.numbers.includes(message.numberId))
    if (!isReached || message.direction === 'note') throw errors.notFound('There is no such message.')
    return toMessage(message)
  }

  return { send, read }
}
