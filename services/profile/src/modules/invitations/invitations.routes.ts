import { invitationsApi } from '@parley/contracts/account/invitations'
import { profileInternalApi } from '@parley/contracts/account/profile-internal'
import { mount } from '@parley/service-kit/http/mount'
import type { FastifyInstance } from 'fastify'
import type { Services } from '../../services.ts'

export default async function invitationsRoutes(
  scope: FastifyInstance,
  { services: { invitations } }: { services: Services },
): Promise<void> {
  mount(scope, invitationsApi.list, async ({ ctx }) => ({ items: await invitations.list(ctx) }))
  mount(scope, invitationsApi.create, ({ ctx, body }) => invitations.create(ctx, body))
  mount(scope, invitationsApi.resend, ({ ctx, params }) => invitations.resend(ctx, params.id))
  mount(scope, invitationsApi.revoke, ({ ctx, params }) => invitations.revoke(ctx, params.id))
  mount(scope, invitationsApi.mine, async ({ ctx }) => ({ items: await invitations.mine(ctx) }))
  mount(scope, invitationsApi.accept, ({ ctx, params, body }) => invitations.accept(ctx, params.id, body.token))
  mount(scope, invitationsApi.decline, ({ ctx, params, body }) => invitations.decline(ctx, params.id, body.token))
  mount(scope, profileInternalApi.invitationPreview, ({ body }) => invitations.preview(body.token))
}
