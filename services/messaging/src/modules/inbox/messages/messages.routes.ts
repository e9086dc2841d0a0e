import { messagesApi } from '@parley/contracts/inbox/message-endpoints'
import { mount } from '@parley/service-kit/http/mount'
import type { FastifyInstance } from 'fastify'
import type { FeatureOptions } from '../../../app.ts'

export default async function messagesRoutes(scope: FastifyInstance, { services }: FeatureOptions): Promise<void> {
  const { outgoing, thread, actions, passports, conversations } = services
  mount(scope, messagesApi.list, ({ ctx, params, query }) => thread.read(ctx, params.id, query))
  mount(scope, messagesApi.send, async ({ ctx, params: { id }, body }) => {
    const { sendAt, ...request } = body
    const message = await outgoing.send(ctx, id, {
      ...request,
      ...(sendAt !== undefined && { sendAt: new Date(sendAt) }),
      cause: { kind: 'member', id: ctx.userId },
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
  mount(scope, messagesApi.react, async ({ ctx, params: { id, messageId }, body }) =>
    outgoing.react(ctx, await thread.find(ctx, id, messageId), body.emoji),
  )
}
