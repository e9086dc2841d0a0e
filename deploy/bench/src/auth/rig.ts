import type { HotRecord } from '@parley/bff/session/session-record'
import type { Stack } from '@parley/local/stack'
import { signUp } from '@parley/local/testing/app-visitor'
import { createInternalTokenSigner } from '@parley/service-kit/core/internal-token'
import { production, startAll, startBenchStack } from '../stack.ts'
import { type BffUnderLoad, startBff } from './bff-under-load.ts'

const account = { email: 'bench@parley.test', password: 'correct horse battery' }

/** The processes behind every proxy that is measured, the BFF, and one account that is signed in there. */
export interface Rig {
  readonly stack: Stack
  /** For files of the run; removed at the end. */
  readonly folder: string
  readonly account: typeof account
  readonly bff: BffUnderLoad
  /** Cookie header of the account's session at the BFF. */
  readonly cookie: string
  /** What that session holds. */
  readonly hot: HotRecord
  /** `Bearer` with a token that profile accepts for two minutes. */
  readonly freshBearer: () => Promise<string>
  readonly stop: () => Promise<void>
}

/** Starts everything on this machine, on stores of its own. */
export const startRig = (): Promise<Rig> =>
  startAll(async (started) => {
    const { stack, folder } = await startBenchStack({
      components: ['mongodb', 'redis', 'mail', 'identity-provider', 'identity', 'profile'],
      env: { profile: production },
    })
    started.defer(stack.stop)
    const bff = await startBff(stack.env.bff, folder)
    started.defer(bff.stop)
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
    const freshBearer = async () => `Bearer ${await signer.sign(claims)}`
    return { stack, folder, account, bff, cookie, hot: session.hot, freshBearer }
  })
