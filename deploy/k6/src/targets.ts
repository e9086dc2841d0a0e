import { existsSync, readFileSync } from 'node:fs'
import { lockHolder } from '@parley/local/lock'
import { defaultDataDir, stackPaths } from '@parley/local/paths'
import { type Stack, startStack } from '@parley/local/stack'
import { throwAwayFolder } from '@parley/local/testing/throw-away-folder'
import { z } from 'zod'

/** What k6 is told of the target, and what stops that afterwards. */
export interface Target {
  readonly env: Readonly<Record<string, string>>
  readonly stop: () => Promise<void>
}

/** Short enough that a smoke run sees a token renewed; the app hands out none that lives for less than 90 s. */
const shortTokenSeconds = '100'

/** The stack that `npm start` runs in this checkout, or one of its own, forgotten afterwards. */
export async function localTarget(log: (line: string) => void, signal: AbortSignal): Promise<Target> {
  const running = runningStack()
  if (running) {
    log(`The stack that runs here is used: ${running.env['TARGET']}`)
    return running
  }
  log('No stack runs here: one is started for this run alone.')
  const stack = await startStack({
    dataDir: throwAwayFolder(),
    throwAway: true,
    signal,
    env: { 'identity-provider': { TOKEN_LIFESPAN_SECONDS: shortTokenSeconds } },
    environment: {
      ...process.env,
      OIDC_ISSUER: '',
      MONGODB_URL: '',
      REDIS_URL: '',
      SMTP_URL: '',
      NODE_ENV: '',
      // Each account would cost seconds of all cores.
      SAMPLE_DATA: 'off',
    },
    onProgress: (progress) => {
      if (progress.kind === 'note') log(progress.line)
      if (progress.kind === 'failed') log(progress.problem.message)
    },
  })
  return { env: environmentOf(stack.urls, stack.secrets), stop: stack.stop }
}

const urlsSchema = z.object({ app: z.string(), identity: z.string(), simulator: z.string() })
const secretsSchema = z.object({ svcIdentitySecret: z.string() })

function runningStack(): Target | undefined {
  const { lock, urls, secrets } = stackPaths(defaultDataDir)
  if (typeof lockHolder(lock) !== 'number' || !existsSync(urls) || !existsSync(secrets)) return undefined
  const read = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'))
  return {
    env: environmentOf(urlsSchema.parse(read(urls)), secretsSchema.parse(read(secrets))),
    stop: async () => {},
  }
}

const environmentOf = (
  { app, identity, simulator }: Pick<Stack['urls'], 'app' | 'identity' | 'simulator'>,
  { svcIdentitySecret }: Pick<Stack['secrets'], 'svcIdentitySecret'>,
) => ({ TARGET: app, OIDC_ISSUER: identity, ADMIN_CLIENT_SECRET: svcIdentitySecret, SIMULATOR: simulator })
