import { analyticsApi } from '@parley/contracts/platform/analytics'
import { dashboardApi } from '@parley/contracts/platform/dashboard'
import { figureRowsApi } from '@parley/contracts/platform/figure-rows'
import { errors } from '@parley/service-kit/core/errors'
import { mount } from '@parley/service-kit/http/mount'
import type { FastifyInstance } from 'fastify'
import type { FeatureOptions } from '../../app.ts'
import { ofNumber } from './levels.ts'

export default async function analyticsRoutes(
  scope: FastifyInstance,
  { services: { readAnalytics, readDashboard, readFigureRows, startRowsExport } }: FeatureOptions,
): Promise<void> {
  mount(scope, dashboardApi.read, ({ ctx }) => readDashboard(ctx))
  mount(scope, analyticsApi.read, ({ ctx, query }) => {
    checkNumbers(ctx, query.scope)
    return readAnalytics(ctx, query)
  })
  mount(scope, figureRowsApi.list, ({ ctx, query }) => readFigureRows(ctx, query))
  mount(scope, figureRowsApi.export, ({ ctx, body }) => startRowsExport(ctx, body))
}

/** A key that is for some numbers reads the figures of one of these. */
function checkNumbers({ numbers }: { readonly numbers?: readonly string[] }, asked: string): void {
  if (numbers && !numbers.some((id) => ofNumber(id) === asked))
    throw errors.notFound('This key reads the figures of its own numbers: ask for scope=number:<id>.')
}
