import { analyticsApi } from '@parley/contracts/platform/analytics'
import { dashboardApi } from '@parley/contracts/platform/dashboard'
import { figureRowsApi } from '@parley/contracts/platform/figure-rows'
import { teamReportApi } from '@parley/contracts/platform/team-report'
import { errors } from '@parley/service-kit/core/errors'
import type { ActorContext } from '@parley/service-kit/http/context'
import { mount } from '@parley/service-kit/http/mount'
import type { FastifyInstance } from 'fastify'
import type { FeatureOptions } from '../../app.ts'
import { memberFigures, ofNumber } from './levels.ts'
import { seesTeam } from './team-report.service.ts'

export default async function analyticsRoutes(scope: FastifyInstance, { services }: FeatureOptions): Promise<void> {
  const { readAnalytics, readDashboard, readFigureRows, readTeamReport, startRowsExport } = services
  mount(scope, dashboardApi.read, ({ ctx }) => readDashboard(ctx))
  mount(scope, analyticsApi.read, ({ ctx, query }) => {
    checkNumbers(ctx, query.scope)
    checkMember(ctx, query.scope)
    return readAnalytics(ctx, query)
  })
  mount(scope, teamReportApi.read, ({ ctx, query }) => readTeamReport(ctx, query))
  mount(scope, figureRowsApi.list, ({ ctx, query }) => {
    checkNumbers(ctx, query.scope)
    checkMember(ctx, query.scope)
    return readFigureRows(ctx, query)
  })
  mount(scope, figureRowsApi.export, ({ ctx, body }) => {
    checkMember(ctx, body.scope)
    return startRowsExport(ctx, body)
  })
}

/** A member's figures are seen by themselves, owners and admins, and by keys. */
function checkMember(ctx: ActorContext, scope: string): void {
  if (scope.startsWith(memberFigures) && !seesTeam(ctx) && scope !== `${memberFigures}${ctx.actor.id}`)
    throw errors.forbidden('You see your own figures alone.')
}

/** A key that is for some numbers reads the figures of one of these. */
function checkNumbers({ numbers }: { readonly numbers?: readonly string[] }, asked: string): void {
  if (numbers && !numbers.some((id) => ofNumber(id) === asked))
    throw errors.notFound('This key reads the figures of its own numbers: ask for scope=number:<id>.')
}
