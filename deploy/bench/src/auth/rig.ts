import { configSchema } from '@parley/bff/config'
import { createDependencies } from '@parley/bff/dependencies'
import type { Environment } from '@parley/local/component'
import { signUp } from '@parley/local/testing/app-visitor'
import { parseConfig } from '@parley/service-kit/core/config'
import { createInternalTokenSigner } from '@parley/service-kit/core/internal-token'
import { createLogger } from '@parley/service-kit/core/logger'
import { freePort } from '@parley/service-kit/testing/free-port'
import { startNode } from '../program.ts'
import { bffEnvironment, production, startBenchStack } from '../stack.ts'

const account = { email: 'bench@parley.test', password: 'correct horse battery' }

/** The processes behind every proxy that is measured, the BFF, and one account that is signed in there. */
export async function startRig(cleanUp: AsyncDisposableStack) {
  const bench = await startBenchStack({
    components: ['mongodb', 'redis', 'mail', 'identity-provider', 'identity', 'profile'],
    env: { profile: production },
  })
  const { stack, folder } = cleanUp.use(bench)

  /** A BFF in a process of its own, and its components once more in this process to make sessions with. */
  async function startBff(changed: Environment = {}) {
    const env: Environment = { ...bffEnvironment(bench), ...changed }
    const inspectPort = await freePort()
    const nodeArguments = [`--inspect-port=${inspectPort}`]
    const name = `bff-${env['PORT']}`
    const { pid } = cleanUp.use(await startNode({ name, script: 'bff/src/server.ts', env, folder, nodeArguments }))
    const config = parseConfig(configSchema, env)
    const logger = createLogger({ name: 'bench', level: 'error' })
    const { dependencies, disconnect } = await createDependencies(config, logger)
    cleanUp.defer(async () => disconnect())
    return { origin: `http://127.0.0.1:${env['PORT']}`, config, pid, inspectPort, dependencies }
  }

  /** The same beside the first one, with some settings changed. */
  const startAnotherBff = async (changed: Environment) =>
    startBff({ PORT: String(await freePort()), MANAGEMENT_PORT: String(await freePort()), ...changed })

  const bff = await startBff()
  const { cookie, ...answer } = await signUp(bff.origin, account)
  const session = await bff.dependencies.store.load(cookie.split('=')[1] ?? '')
  const context = session?.hot.context
  if (!session || !context) throw new Error(`the sign-up did not lead to a session: ${JSON.stringify(answer)}`)
  const signer = await createInternalTokenSigner('bff', bff.config.INTERNAL_TOKEN_KEYS)
  const claims = {
    aud: 'profile',
    sub: context.userId,
    wid: context.workspaceId,
    role: context.role,
    email: account.email,
    email_verified: false,
    provider: 'password',
  }
  /** `Bearer` with a token that profile accepts for two minutes. */
  const freshBearer = async () => `Bearer ${await signer.sign(claims)}`
  /** `cookie` is that of the account's session at the BFF, `hot` what that session holds. */
  return { stack, folder, account, bff, startAnotherBff, cookie, hot: session.hot, freshBearer, cleanUp }
}
export type Rig = Awaited<ReturnType<typeof startRig>>
export type Bff = Rig['bff']
