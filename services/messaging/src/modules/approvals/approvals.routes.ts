import { approvalsApi } from '@parley/contracts/platform/approvals'
import { mount } from '@parley/service-kit/http/mount'
import type { FastifyInstance } from 'fastify'
import type { FeatureOptions } from '../../app.ts'

export default async function approvalsRoutes(scope: FastifyInstance, { services }: FeatureOptions): Promise<void> {
  const { approvals, approvalRules, launchApprovals, numberApprovals, selectionApprovals } = services
  mount(scope, approvalsApi.readRules, ({ ctx }) => approvalRules.read(ctx))
  mount(scope, approvalsApi.updateRules, ({ ctx, body }) => approvalRules.update(ctx, body))
  mount(scope, approvalsApi.list, ({ ctx }) => approvals.list(ctx))
  mount(scope, approvalsApi.ofCampaign, ({ ctx, params }) => launchApprovals.ofCampaign(ctx, params.id))
  mount(scope, approvalsApi.ask, ({ ctx, params, body }) => launchApprovals.ask(ctx, params.id, body))
  mount(scope, approvalsApi.askFor, ({ ctx, body: { action, note } }) =>
    action.kind === 'number_removal'
      ? numberApprovals.ask(ctx, action.numberId, note)
      : selectionApprovals.ask(ctx, action, note),
  )
  mount(scope, approvalsApi.decide, ({ ctx, params, body }) => approvals.decide(ctx, params.id, body))
}
