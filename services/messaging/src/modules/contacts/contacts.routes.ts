import { contactsApi } from '@parley/contracts/contacts/contact-endpoints'
import { tagsApi } from '@parley/contracts/contacts/tags'
import { AppError } from '@parley/service-kit/core/errors'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import { mount } from '@parley/service-kit/http/mount'
import type { FastifyInstance } from 'fastify'
import type { FeatureOptions } from '../../app.ts'

export default async function contactsRoutes(scope: FastifyInstance, { services }: FeatureOptions): Promise<void> {
  const { contactLists, contactChanges, tags, blocking } = services
  mount(scope, contactsApi.list, ({ ctx, query }) => contactLists.list(ctx, query))
  mount(scope, tagsApi.list, async ({ ctx }) => ({ items: await contactLists.tags(ctx) }))
  mount(scope, tagsApi.colour, ({ ctx, body }) => tags.colour(ctx, body))
  mount(scope, contactsApi.read, ({ ctx, params }) => contactLists.read(ctx, params.id))
  mount(scope, contactsApi.readDeleted, ({ ctx, params }) => contactLists.readDeleted(ctx, params.id))
  mount(scope, contactsApi.create, ({ ctx, body }) => contactChanges.create(ctx, body))
  mount(scope, contactsApi.update, ({ ctx, params, body }) =>
    contactChanges.update(ctx, params.id, body).catch(hideOther(ctx)),
  )
  mount(scope, contactsApi.addTag, ({ ctx, params, body }) => contactChanges.addTag(ctx, params.id, body.tag))
  mount(scope, contactsApi.removeTag, ({ ctx, params, query }) => contactChanges.removeTag(ctx, params.id, query.tag))
  mount(scope, contactsApi.block, ({ ctx, params, body }) => blocking.set(ctx, params.id, body.blocked))
  mount(scope, contactsApi.bulk, ({ ctx, body }) => contactChanges.bulk(ctx, body))
}

/** A contact whom a member does not see is not named as the one that has a number already. */
const hideOther =
  ({ viewer }: WorkspaceScope) =>
  (error: unknown) => {
    if (viewer === undefined || !(error instanceof AppError) || error.code !== 'contact_exists') throw error
    throw new AppError('contact_exists', 'Another contact has this already. Ask an owner or admin of the workspace.')
  }
