import { startInternalAuthority } from '@parley/service-kit/testing/internal-authority'
import { MongoClient } from 'mongodb'
import { createAsk } from '../calls.ts'
import { production, startBenchStack } from '../stack.ts'

/** Tokens of signed-in people live for two minutes. */
const tokenLifeMs = 60_000
/** Memory of MongoDB for its records, as for this many on a machine of their own. */
const cacheMiB = 1536

export interface Request {
  readonly workspaceId: string
  readonly path: string
  readonly method?: string
  /** Body as JSON, or bytes as they are. */
  readonly body?: object | Uint8Array<ArrayBuffer>
}
export type OwnServer = Awaited<ReturnType<typeof startOwnServer>>

/** The server of messaging on stores of its own, for people of any workspace, without a BFF before it. */
export async function startOwnServer(cleanUp: AsyncDisposableStack) {
  const authority = await startInternalAuthority()
  cleanUp.defer(() => authority.close())
  const bench = await startBenchStack({
    components: ['mongodb', 'redis', 'messaging'],
    env: { messaging: { ...production, INTERNAL_ISSUERS: authority.issuers, SAMPLE_DATA: 'off' } },
  })
  const { stack, folder } = cleanUp.use(bench)
  const db = cleanUp.use(new MongoClient(stack.env.messaging['MONGODB_URL'] ?? '')).db()
  // A launcher's database keeps little in memory; a million contacts are served from as much as they are planned with.
  await db.admin().command({ setParameter: 1, wiredTigerEngineRuntimeConfig: `cache_size=${cacheMiB}M` })
  const bearers = new Map<string, { value: string; until: number }>()

  async function bearerOf(workspaceId: string): Promise<string> {
    const known = bearers.get(workspaceId)
    if (known && known.until > Date.now()) return known.value
    const claims = { sub: 'b'.repeat(24), wid: workspaceId, role: 'owner', aud: 'messaging' } as const
    const person = { email: 'bench@parley.test', email_verified: true, provider: 'password' }
    const value = `Bearer ${await authority.userToken({ ...claims, ...person })}`
    bearers.set(workspaceId, { value, until: Date.now() + tokenLifeMs })
    return value
  }

  /** Headers of a person of a workspace, for a minute. */
  const headersOf = async (workspaceId: string) => ({ authorization: await bearerOf(workspaceId) })

  /** @throws where an answer is a refusal. */
  const call = async ({ workspaceId, path, method = 'GET', body }: Request): Promise<unknown> => {
    const origin = `http://127.0.0.1:${stack.env.messaging['PORT']}`
    return createAsk(origin, await headersOf(workspaceId))(method, path, body)
  }
  return { db, folder, env: stack.env, call, headersOf }
}
