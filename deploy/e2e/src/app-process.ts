import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { repoRoot } from '@parley/local/paths'
import { throwAwayFolder } from '@parley/local/testing/throw-away-folder'
import { freePort } from '@parley/service-kit/testing/free-port'
import { z } from 'zod'

const urlsSchema = z.object({
  app: z.string(),
  mail: z.string(),
  identity: z.string(),
  simulator: z.string(),
  mongodb: z.string(),
})
/** `svcIdentitySecret` administers accounts at the provider, `tokenKeys.bff` (JSON) sign calls to the services. */
const secretsSchema = z.object({ svcIdentitySecret: z.string(), tokenKeys: z.object({ bff: z.string() }) })
const portsSchema = z.object({ identity: z.number() })

export type AppProcess = Awaited<ReturnType<typeof startApp>>

/** Time in which the app has to be ready: a Keycloak is prepared and makes its database first. */
export const startTimeoutMs = 600_000

/**
 * Parley, started by the command that users type, with a data folder of its own.
 * @param env variables for the launcher beside those of this process.
 * @throws with what was printed, if the app is not ready in time.
 */
export async function startApp(env: Readonly<Record<string, string>> = {}) {
  const home = throwAwayFolder()
  const port = await freePort()
  let child: ChildProcess | undefined
  let printed = ''

  /** `npm start`, each time in the same folder and on the same port. */
  async function start(): Promise<void> {
    printed = ''
    const started = spawn('npm', ['start'], {
      cwd: repoRoot,
      env: { ...process.env, ...env, PARLEY_HOME: home, PORT: String(port) },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    child = started
    for (const stream of [started.stdout, started.stderr])
      stream.on('data', (chunk: Buffer) => {
        printed += chunk
      })
    const deadline = performance.now() + startTimeoutMs
    while (!/^Open http[\s\S]*^Demo account: .+$/m.test(printed)) {
      if (started.exitCode !== null || performance.now() > deadline) throw new Error(`it is not ready:\n${printed}`)
      await delay(50)
    }
  }

  /** Stops it as Ctrl-C does; resolves once none of its processes runs any more. */
  async function interrupt(): Promise<void> {
    if (!child?.pid || child.exitCode !== null) return
    const ended = once(child, 'exit')
    // The whole group gets the signal, as from a terminal.
    process.kill(-child.pid, 'SIGINT')
    await ended
  }

  /** Stops it and forgets its data. */
  async function dispose(): Promise<void> {
    await interrupt()
    rmSync(home, { recursive: true, force: true })
  }

  try {
    await start()
  } catch (error) {
    await dispose()
    throw error
  }
  const readSessionValue = (file: string): unknown => JSON.parse(readFileSync(join(home, file), 'utf8'))
  return {
    urls: urlsSchema.parse(readSessionValue('urls.json')),
    secrets: secretsSchema.parse(readSessionValue('secrets.json')),
    /** Returns the origin of `services/identity`, which browsers never reach. */
    identityService: `http://127.0.0.1:${portsSchema.parse(readSessionValue('ports.json')).identity}`,
    /** Sends a signal to one of the processes that it has started: `mongodb`, `redis`, `identity-provider`, `bff` … */
    signal(part: string, signal: NodeJS.Signals) {
      const children = readFileSync(join(home, 'children.tsv'), 'utf8').split('\n')
      const pid = Number(children.find((line) => line.split('\t')[1] === part)?.split('\t')[0])
      if (!(pid > 0)) throw new Error(`${part} does not run here`)
      process.kill(pid, signal)
    },
    demoPassword: /Demo account: \S+ password (\S+)/.exec(printed)?.[1] ?? '',
    /** Returns everything that the launcher has printed since its last start. */
    output: () => printed,
    interrupt,
    startAgain: start,
    dispose,
  }
}
