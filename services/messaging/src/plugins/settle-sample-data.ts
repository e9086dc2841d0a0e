import type { FastifyInstance } from 'fastify'
import type { FeatureOptions } from '../app.ts'

/**
 * Operations that answer from numbers, conversations and notifications, and do not wait for the rest. A page that shows more of
 * it (how much a number has sent) reads again when an event announces the sample data.
 */
const inboxOperations: ReadonlySet<string | undefined> = new Set([
  'conversations.list',
  'conversations.summary',
  'numbers.list',
  'numbers.simulate',
  'notifications.list',
  'events.stream',
])

/** A workspace that calls for the first time may be given the sample data; whatever it asked for waits for that, not for long. */
export default async function settleSampleData(
  scope: FastifyInstance,
  { services: { sampleData }, sampleData: onNew, simulator }: FeatureOptions,
): Promise<void> {
  scope.addHook('preHandler', async ({ caller, method, routeOptions }) => {
    if (caller?.kind !== 'user') return
    const needs = inboxOperations.has(routeOptions.config.endpoint?.operation) ? 'inbox' : 'everything'
    const reads = method === 'GET' || method === 'HEAD'
    await sampleData.settle({ workspaceId: caller.claims.wid }, { needs, reads, onNew, simulator })
  })
  scope.addHook('onClose', sampleData.rest)
}
