import { messagesApi } from '@parley/contracts/inbox/message-endpoints'
import { formsApi } from '@parley/contracts/templates/forms'
import { templateCheckApi } from '@parley/contracts/templates/template-checks'
import { templatesApi } from '@parley/contracts/templates/template-endpoints'
import { templateVersionsApi } from '@parley/contracts/templates/template-versions'
import { mount } from '@parley/service-kit/http/mount'
import type { FastifyInstance } from 'fastify'
import type { FeatureOptions } from '../../app.ts'
import { messageCauseOf } from '../../platform/actor-of.ts'

export default async function templatesRoutes(scope: FastifyInstance, { services }: FeatureOptions) {
  const { templates, templateChanges, templateRemoval, templateSync, outgoing, conversations } = services
  mount(scope, templatesApi.list, ({ ctx, query }) => templates.list(ctx, query))
  mount(scope, templatesApi.summary, ({ ctx }) => templates.summary(ctx))
  mount(scope, templatesApi.syncState, ({ ctx, query }) => templateSync.history(ctx, query))
  mount(scope, formsApi.list, ({ ctx }) => services.forms.list(ctx))
  mount(scope, templatesApi.tracking, async () => services.templateTracking)
  mount(scope, templatesApi.sync, ({ ctx }) => templateSync.ask(ctx))
  mount(scope, templatesApi.read, ({ ctx, params }) => templates.read(ctx, params.id))
  mount(scope, templatesApi.uses, ({ ctx, params }) => services.templateUses(ctx, params.id))
  mount(scope, templateCheckApi.usage, ({ ctx, params, body }) => services.templateUsage(ctx, params.id, body))
  mount(scope, templateVersionsApi.list, ({ ctx, params }) => services.templateVersions(ctx, params.id))
  mount(scope, templateVersionsApi.restore, ({ ctx, params, body }) =>
    services.templateDrafts.restore(ctx, params, body.version),
  )
  mount(scope, templateVersionsApi.saveDraft, ({ ctx, params, body }) =>
    services.templateDrafts.save(ctx, params.id, body),
  )
  mount(scope, templateVersionsApi.discardDraft, ({ ctx, params, query }) =>
    services.templateDrafts.discard(ctx, params.id, query.version),
  )
  mount(scope, templateCheckApi.lint, ({ ctx, body }) => services.lintTemplate(ctx, body))
  mount(scope, templatesApi.create, ({ ctx, body: { review, accepted, ...written } }) =>
    // A template that is not submitted gets no warnings.
    review === false
      ? services.templateDrafts.create(ctx, written)
      : templateChanges.create(ctx, { ...written, accepted }),
  )
  mount(scope, templatesApi.update, ({ ctx, params, body }) => templateChanges.update(ctx, params.id, body))
  mount(scope, templateCheckApi.header, ({ ctx, params, body }) =>
    services.templateHeaders.change(ctx, params.id, body),
  )
  mount(scope, templatesApi.remove, ({ ctx, params, query }) =>
    templateRemoval.remove(ctx, params.id, { atWhatsApp: query.atWhatsApp === 'true' }),
  )
  mount(scope, templatesApi.restore, ({ ctx, params }) => templateRemoval.restore(ctx, params.id))
  mount(scope, messagesApi.sendTemplate, async ({ ctx, params: { id }, body }) => {
    await services.inbox.requireReach(ctx, id)
    const { templateId, values, clientId = ctx.intent?.id } = body
    const { numberId } = await conversations.show(ctx, id)
    const accountId = (await services.numbers.read(ctx, numberId))?.businessAccountId
    const message = await outgoing.send(ctx, id, {
      content: await templates.approved(ctx, templateId, { values, accountId }),
      clientId,
      cause: messageCauseOf(ctx),
    })
    return { message, conversation: await conversations.show(ctx, id) }
  })
}
