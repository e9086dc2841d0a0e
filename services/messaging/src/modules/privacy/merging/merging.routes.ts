import { contactMergeApi } from '@parley/contracts/contacts/contact-merge'
import { mount } from '@parley/service-kit/http/mount'
import type { FastifyInstance } from 'fastify'
import type { FeatureOptions } from '../../../app.ts'

export default async function mergingRoutes(scope: FastifyInstance, { services }: FeatureOptions): Promise<void> {
  const { merging, mergeMany, suggestedMerges, duplicates } = services
  mount(scope, contactMergeApi.merge, ({ ctx, params, body }) => merging.merge(ctx, params.id, body))
  mount(scope, contactMergeApi.duplicates, async ({ ctx, params }) => ({ items: await duplicates(ctx, params.id) }))
  mount(scope, contactMergeApi.merged, ({ ctx, params }) => merging.list(ctx, params.id))
  mount(scope, contactMergeApi.suggestions, ({ ctx, query }) => suggestedMerges(ctx, query))
  mount(scope, contactMergeApi.mergeMany, ({ ctx, body }) => mergeMany(ctx, body.pairs))
  mount(scope, contactMergeApi.undo, ({ ctx, params, body }) => merging.undo(ctx, params.id, body.otherId))
}
