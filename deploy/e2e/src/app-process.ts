import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { throwAwayFolder } from '@parley/local/testing/throw-away-folder'
import { freePort } from '@parley/service-kit/testing/free-port'
import { z } from 'zod'
import { onKeycloak } from './provider-pages.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const urlsSchema = z.object({
  app: z.string(),
  mail: z.string(),
  identity: z.string(),
  simulator: z.string(),
  mongodb: z.string(),
})
type Urls = z.infer<typeof urlsSchema>
const secretsSchema = z.object({ svcIdentitySecret: z.string(), tokenKeys: z.object({ bff: z.string() }) })
const portsSchema = z.object({ identity: z.number() })

/** Parley, started by the command that users type, with a data folder of its own. */
export interface AppProcess {
  readonly urls: Urls
  /** The demo account's password, as the launcher printed it. */
  readonly demoPassword: string
  /** Everything that the launcher has printed. */
  output(): string
  /** `svcIdentitySecret` administers accounts at the provider, `tokenKeys.bff` (JSON) sign calls to the services. */
  readonly secrets: z.infer<typeof secretsSchema>
  /** Origin of `services/identity`, which browsers never reach. */
  readonly identityService: string
  /** Sends a signal to one of the processes that it has started: `mongodb`, `redis`, `identity-provider`, `bff` … */
  signal(part: string, signal: NodeJS.Signals): void
  /** Ctrl-C; resolves once nothing of it runs any more. */
  interrupt(): Promise<void>
  /** `npm start` once more in the same folder and on the same port. */
  startAgain(): Promise<void>
  /** Stops it and forgets its data. */
  dispose(): Promise<void>
}

/** Within which the app is ready. A Keycloak is prepared and makes its database first. */
export const startTimeoutMs = onKeycloak ? 600_000 : 120_000

/**
 * @param options.env variables for the launcher beside those of this process.
 * @throws with what was printed, if the app is not ready within `timeoutMs`.
 */
export async function startApp({
  timeoutMs = startTimeoutMs,
  env = {},
}: {
  timeoutMs?: number
  env?: Record<string, string>
} = {}): Promise<AppProcess> {
  const home = throwAwayFolder()
  const port = await freePort()
  let child: ChildProcess | undefined
  let printed = ''

  async function start(): Promise<void> {
    printed = ''
    const started = spawn('npm', ['start'], {
      cwd: root,
      env: { ...process.env, ...env, PARLEY_HOME: home, PORT: String(port) },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    child = started
    await new Promise<void>((resolve, reject) => {
      const timeout = setTimeout(() => reject(new Error(`not ready in time:\n${printed}`)), timeoutMs)
      const settle = (action: () => void) => {
        clearTimeout(timeout)
        action()
      }
      for (const stream of [started.stdout, started.stderr]) {
        stream?.on('data', (chunk: Buffer) => {
          printed += chunk
          if (/^Open http/m.test(printed) && /^Demo account: .+$/m.test(printed)) settle(resolve)
        })
      }
      started.once('exit', (code) => settle(() => reject(new Error(`it ended with code ${code}:\n${printed}`))))
    })
  }

  async function interrupt(): Promise<void> {
    const running = child
    if (!running?.pid || running.exitCode !== null) return
    const ended = new Promise((resolve) => running.once('exit', resolve))
    // As a terminal does it: the whole group gets the signal.
    process.kill(-running.pid, 'SIGINT')
    await ended
    child = undefined
  }

  try {
    await start()
  } catch (error) {
    await interrupt()
    rmSync(home, { recursive: true, force: true })
    throw error
  }
  const readKept = (file: string): unknown => JSON.parse(readFileSync(join(home, file), 'utf8'))
  return {
    urls: urlsSchema.parse(readKept('urls.json')),
    secrets: secretsSchema.parse(readKept('secrets.json')),
    identityService: `http://127.0.0.1:${portsSchema.parse(readKept('ports.json')).identity}`,
    signal(part, signal) {
      const children = readFileSync(join(home, 'children.tsv'), 'utf8').split('\n')
      const pid = Number(children.find((line) => line.split('\t')[1] === part)?.split('\t')[0])
      if (!(pid > 0)) throw new Error(`${part} does not run here`)
      process.kill(pid, signal)
    },
    demoPassword: /Demo account: \S+ password (\S+)/.exec(printed)?.[1] ?? '',
    output: () => printed,
    interrupt,
    startAgain: start,
    async dispose() {
      await interrupt()
      rmSync(home, { recursive: true, force: true })
    },
  }
}
