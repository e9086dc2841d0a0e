import { join } from 'node:path'
import type { HotRecord } from '@parley/bff/session/session-record'
import { authApi, csrfHeader } from '@parley/contracts/auth'
import { type Stack, startStack } from '@parley/local/stack'
import { throwAwayFolder } from '@parley/local/testing/throw-away-folder'
import { createInternalTokenSigner } from '@parley/service-kit/core/internal-token'
import { type BffUnderLoad, startBff } from './bff-under-load.ts'

const account = { email: 'bench@parley.test', password: 'correct horse battery' }

/** The parts behind every proxy that is measured, the BFF, and one account that is signed in there. */
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
export async function startRig(say: (line: string) => void): Promise<Rig> {
  const dataDir = throwAwayFolder()
  const stack = await startStack({
    dataDir,
    components: ['mongodb', 'redis', 'mail', 'identity-provider', 'identity', 'profile'],
    env: { profile: { NODE_ENV: 'production' } },
    environment: {},
    throwAway: true,
    onProgress: (progress) => {
      if (progress.kind === 'note') say(progress.line)
    },
  })
  const stops: (() => Promise<void>)[] = [stack.stop]
  const stop = async () => {
    for (const step of stops) await step()
  }
  try {
    const folder = join(dataDir, 'bench')
    const bff = await startBff(stack.env.bff, folder)
    stops.unshift(bff.stop)
    const cookie = await signUp(bff.origin)
    const session = await bff.dependencies.store.load(cookie.split('=')[1] ?? '')
    const context = session?.hot.context
    if (!session || !context) throw new Error('the sign-up did not lead to a session')
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
    return { stack, folder, account, bff, cookie, hot: session.hot, freshBearer, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** @returns the session's cookie. */
async function signUp(app: string): Promise<string> {
  const response = await fetch(`${app}${authApi.signUp.path}`, {
    method: authApi.signUp.method,
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', [csrfHeader]: '1' },
    body: JSON.stringify(account),
  })
  if (response.status !== authApi.signUp.status)
    throw new Error(`the sign-up answered ${response.status}: ${await response.text()}`)
  return response.headers.getSetCookie()[0]?.split(';')[0] ?? ''
}
