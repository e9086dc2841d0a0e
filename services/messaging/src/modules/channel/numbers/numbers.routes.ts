import { numbersApi } from '@parley/contracts/channel/number-endpoints'
import { errors } from '@parley/service-kit/core/errors'
import { mount } from '@parley/service-kit/http/mount'
import type { FastifyInstance } from 'fastify'
import type { FeatureOptions } from '../../../app.ts'

export default async function numbersRoutes(scope: FastifyInstance, { services, simulator }: FeatureOptions) {
  const { numbers, simulatedNumbers, accountEvents } = services
  mount(scope, numbersApi.list, async ({ ctx, query }) => {
    const page = await numbers.page(ctx, query)
    const items = page.items.filter(({ id }) => !ctx.numbers || ctx.numbers.includes(id))
    return { ...page, items, ...(ctx.numbers && { total: items.length }), canSimulate: simulator !== undefined }
  })
  mount(scope, numbersApi.read, ({ ctx, params }) => {
    if (ctx.numbers && !ctx.numbers.includes(params.id)) throw errors.notFound('There is no such number.')
    return numbers.show(ctx, params.id)
  })
  mount(scope, numbersApi.connect, ({ ctx, body }) => numbers.connect(ctx, body, simulator))
  mount(scope, numbersApi.simulate, ({ ctx }) => simulatedNumbers.simulate(ctx, simulator))
  mount(scope, numbersApi.check, ({ ctx, params, body }) => numbers.check(ctx, params.id, body))
  mount(scope, numbersApi.events, ({ ctx, params }) => accountEvents.ofNumber(ctx, params.id))
  mount(scope, numbersApi.update, ({ ctx, params, body }) => numbers.update(ctx, params.id, body))
  mount(scope, numbersApi.remove, ({ ctx, params }) => numbers.remove(ctx, params.id))
}
