import type { FastifyInstance } from 'fastify'
import type { FeatureOptions } from '../app.ts'

/** A workspace that calls for the first time may be given the sample data; whatever it asked for waits until that is there. */
export default async function settleSampleData(
  scope: FastifyInstance,
  { services, sampleData, simulator }: FeatureOptions,
): Promise<void> {
  scope.addHook('preHandler', async ({ caller }) => {
    if (caller?.kind === 'user')
      await services.sampleData.settle({ workspaceId: caller.claims.wid }, { onNew: sampleData, simulator })
  })
}
