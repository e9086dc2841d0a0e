import type { Part, StackContext } from '../part.ts'
import { internalJwksUrl, profileOrigin } from './addresses.ts'
import { mongodbUrl, withDatabase } from './mongodb.ts'
import { nodeEnvironment, nodeProgram } from './node-part.ts'
import { redisUrl } from './redis.ts'

/** The service that keeps users, workspaces and members. */
export function profilePart(context: StackContext): Part {
  const env = {
    ...nodeEnvironment(context, 'profile'),
    MONGODB_URL: withDatabase(mongodbUrl(context), 'parley_profile'),
    REDIS_URL: redisUrl(context),
    INTERNAL_JWKS_URL: internalJwksUrl(context),
  }
  const address = profileOrigin(context)
  return {
    name: 'profile',
    label: 'Profile service',
    kind: 'Parley',
    address,
    dataAt: 'MongoDB, database parley_profile',
    needs: ['mongodb', 'redis'],
    env,
    local: nodeProgram({
      script: 'services/profile/src/server.ts',
      label: 'Profile service',
      env,
      ports: ['profile'],
      readyUrl: `${address}/readyz`,
    }),
  }
}
