import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { csrfHeader, tokenResponseSchema } from '@parley/contracts/account/auth'
import { authApi } from '@parley/contracts/account/auth-endpoints'
import { sampleDataApi } from '@parley/contracts/platform/sample-data'
import { demoEmail, ensureDemoAccount } from '@parley/local/demo-account'
import { startStack } from '@parley/local/stack'
import { signIn } from '@parley/local/testing/app-visitor'
import { throwAwayFolder } from '@parley/local/testing/throw-away-folder'
import { endpointsOf } from '@parley/processes/endpoints'
import { processes, urlVariable } from '@parley/processes/processes'
import { describeEndpoints } from '@parley/service-kit/core/openapi'
import { z } from 'zod'

/** The session lasts as long as the calls: the provider's longest token. */
const tokenSeconds = '3600'

const documentSchema = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), z.looseObject({ operationId: z.string(), responses: z.unknown() }))),
  components: z.looseObject({ schemas: z.record(z.string(), z.unknown()) }),
})
type Document = z.infer<typeof documentSchema>
type Call = (method: string, path: string) => Promise<Response>

export type Target = Awaited<ReturnType<typeof startTarget>>

/** Starts a stack with sample data and a signed-in owner of its workspace. */
export async function startTarget() {
  const dataDir = throwAwayFolder()
  const stack = await startStack({
    dataDir,
    throwAway: true,
    env: { 'identity-provider': { TOKEN_LIFESPAN_SECONDS: tokenSeconds } },
    environment: {
      ...process.env,
      OIDC_ISSUER: '',
      MONGODB_URL: '',
      REDIS_URL: '',
      SMTP_URL: '',
      NODE_ENV: '',
      KEYCLOAK: '',
    },
    onProgress: (progress) => {
      if (progress.kind === 'failed') console.log(`  ${progress.problem.message}`)
    },
  })
  try {
    const password = await ensureDemoAccount(stack, (line) => console.log(`  ${line}`))
    if (password === undefined) throw new Error('there is no account to sign in with')
    const { cookie, body } = await signIn(stack.urls.app, { email: demoEmail, password })
    const headers = {
      cookie,
      authorization: `Bearer ${tokenResponseSchema.parse(body).id_token}`,
      'sec-fetch-site': 'same-origin',
      [csrfHeader]: '1',
    }
    const call: Call = (method, path) => fetch(`${stack.urls.app}${path}`, { method, headers })
    await untilLoaded(call)
    const documents = await Promise.all(
      processes.bff.calls.map(async (name) => {
        const answer = await fetch(`${stack.env.bff[urlVariable(name)]}/openapi.json`)
        return documentSchema.parse(await answer.json())
      }),
    )
    return {
      app: stack.urls.app,
      headers,
      call,
      document: joinDocuments([describeBff(), ...documents]),
      /** Keeps what the processes have written. */
      keepLogs: (folder: string) => {
        rmSync(folder, { recursive: true, force: true })
        cpSync(join(dataDir, 'logs'), folder, { recursive: true })
      },
      stop: stack.stop,
    }
  } catch (error) {
    await stack.stop()
    throw error
  }
}

async function untilLoaded(call: Call): Promise<void> {
  const { load, state } = sampleDataApi
  await call(load.method, load.path)
  const isLoaded = async () =>
    state.response.parse(await (await call(state.method, state.path)).json()).state === 'loaded'
  while (!(await isLoaded())) await setTimeout(500)
}

/** The BFF serves no document of its own calls: it is made as a service makes its own. */
const describeBff = () => documentSchema.parse(describeEndpoints('bff', Object.values(authApi)))

/** Joins what browsers reach of all services into one document. */
function joinDocuments(documents: readonly Document[]): Document {
  const isReached = new Set(
    Object.values(endpointsOf).flatMap((endpoints) =>
      (endpoints ?? []).flatMap(({ access, operation }) => (access === 'service' || access === 'key' ? [] : operation)),
    ),
  )
  const paths: Document['paths'] = {}
  for (const { paths: documentPaths } of documents)
    for (const [path, operations] of Object.entries(documentPaths))
      for (const [method, operation] of Object.entries(operations))
        if (isReached.has(operation.operationId))
          paths[path] = {
            ...paths[path],
            [method]: { ...operation, responses: withoutProperties(operation.responses) },
          }
  const schemas = Object.assign({}, ...documents.map(({ components }) => withoutProperties(components.schemas)))
  return { ...documents[0], paths, components: { ...documents[0]?.components, schemas } }
}

/**
 * A schema of answers without the patterns that name a Unicode property. Schemathesis reads `\p{L}` as the letters of Latin scripts
 * and would refuse answers with others.
 */
function withoutProperties(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(withoutProperties)
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) =>
      key === 'pattern' && typeof inner === 'string' && inner.includes('\\p{') ? [] : [[key, withoutProperties(inner)]],
    ),
  )
}
