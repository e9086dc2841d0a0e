import { messagesApi } from '@parley/contracts/inbox/message-endpoints'
import { mount } from '@parley/service-kit/http/mount'
import type { FastifyInstance } from 'fastify'
import type { FeatureOptions } from '../../../app.ts'
import { messageCauseOf } from '../../../platform/actor-of.ts'

export default async function messagesRoutes(scope: FastifyInstance, { services }: FeatureOptions): Promise<void> {
  const { inbox, outgoing, thread, actions, passports, conversations } = services
  mount(scope, messagesApi.list, async ({ ctx, params, query }) => {
    await inbox.requireReach(ctx, params.id)
    return thread.read(ctx, params.id, query)
  })
  mount(scope, messagesApi.send, async ({ ctx, params: { id }, body }) => {
    await inbox.requireReach(ctx, id)
    const { sendAt, clientId = ctx.intent?.id, ...request } = body
    const message = await outgoing.send(ctx, id, {
      ...request,
      ...(sendAt !== undefined && { sendAt: new Date(sendAt) }),
      clientId,
      cause: messageCauseOf(ctx),
    })
    return { message, conversation: await conversations.show(ctx, id) }
  })
  mount(scope, messagesApi.note, async ({ ctx, params: { id }, body }) => ({
    message: await actions.note(ctx, id, body),
    conversation: await conversations.show(ctx, id),
  }))
  mount(scope, messagesApi.retry, async ({ ctx, params: { id, messageId } }) => ({
    message: await actions.retry(ctx, id, messageId),
    conversation: await conversations.show(ctx, id),
  }))
  mount(scope, messagesApi.cancel, async ({ ctx, params: { id, messageId } }) => ({
    message: await actions.cancel(ctx, id, messageId),
    conversation: await conversations.show(ctx, id),
  }))
  mount(scope, messagesApi.passport, ({ ctx, params: { id, messageId } }) => passports.read(ctx, id, messageId))
  mount(scope, messagesApi.react, ({ ctx, params: { id, messageId }, body }) =>
    actions.react(ctx, id, messageId, body.emoji),
  )
}
