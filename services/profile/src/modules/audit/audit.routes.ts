import { auditApi, auditInternalApi, auditRetentionApi } from '@parley/contracts/account/audit'
import { mount } from '@parley/service-kit/http/mount'
import type { FastifyInstance } from 'fastify'
import type { Services } from '../../services.ts'

export default async function auditRoutes(
  scope: FastifyInstance,
  { services: { audit, auditRetention } }: { services: Services },
): Promise<void> {
  mount(scope, auditApi.list, ({ ctx, query }) => audit.list(ctx, query))
  mount(scope, auditApi.download, ({ ctx, query }) => audit.download(ctx, query))
  mount(scope, auditRetentionApi.read, ({ ctx }) => auditRetention.read(ctx))
  mount(scope, auditRetentionApi.update, ({ ctx, body }) => auditRetention.update(ctx, body))
  mount(scope, auditInternalApi.receive, ({ ctx, body }) => audit.receive(ctx, body.entries))
  mount(scope, auditInternalApi.noteSignIn, ({ body }) => audit.noteSignIn(body))
}
