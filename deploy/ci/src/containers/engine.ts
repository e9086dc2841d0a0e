import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { programPath, toolsCache } from '../tools/folders.ts'
import { run, succeeds } from './command.ts'
import { buildOfflineImages, nodeVersion } from './offline-images.ts'
import { createOwnDaemon } from './own-daemon.ts'

/** What runs containers here, and the images that it runs. */
export interface Engine {
  /** The command that speaks to it. */
  readonly client: string
  /** In words, for the report. */
  readonly what: string
  /** Variables for the client, for compose and for builds: where the daemon is, and images that are not the upstream ones. */
  readonly env: Readonly<Record<string, string>>
  /** Goes before a command that opens what containers publish. */
  readonly inside: readonly string[]
  /** Arguments of `docker build` on this machine. */
  readonly buildArguments: readonly string[]
  /** From building to running; images stay. */
  run(): Promise<void>
  close(): Promise<void>
}

/** Everything that may be kept for the next clone: downloads, contexts, images. */
const folder = join(toolsCache, 'docker')

const packages = {
  dockerd: 'docker.io',
  containerd: 'containerd',
  iptables: 'iptables',
  debootstrap: 'debootstrap',
  ip: 'iproute2',
}

/**
 * The machine's daemon with the upstream images, where it answers and can pull; else a daemon of our own with images made of
 * packages, ready to build.
 * @returns a sentence why neither is to be had.
 */
export async function openEngine(say: (line: string) => void): Promise<Engine | string> {
  if (await machineDaemon()) {
    const nothing = async () => {}
    const base = { client: 'docker', env: {}, inside: [], buildArguments: [], run: nothing, close: nothing }
    return { ...base, what: "the machine's Docker with the upstream images" }
  }
  const obstacle = await whyNoOwnDaemon(say)
  return obstacle ?? openOwnDaemon(say)
}

async function machineDaemon(): Promise<boolean> {
  if (!programPath('docker') || !(await succeeds(['docker', 'version']))) return false
  return succeeds(['docker', 'pull', '--quiet', `node:${nodeVersion}-bookworm-slim`])
}

/** Installs Debian's packages where they are missing: a runner of CI is root on a machine of its own. */
async function whyNoOwnDaemon(say: (line: string) => void): Promise<string | undefined> {
  const where = 'no Docker daemon that can pull images'
  if (process.platform !== 'linux' || process.arch !== 'x64') return `${where}, and one of our own needs Linux on x64`
  if (process.getuid?.() !== 0) return `${where}, and one of our own needs root`
  const missing = Object.entries(packages).flatMap(([program, name]) => (programPath(program) ? [] : [name]))
  if (missing.length === 0) return undefined
  if (!programPath('apt-get')) return `${where}, and no apt-get to install ${missing.join(', ')}`
  say(`installing ${missing.join(', ')}`)
  const env = { DEBIAN_FRONTEND: 'noninteractive' }
  try {
    await run(['apt-get', 'update', '-qq'], { env })
    await run(['apt-get', 'install', '-y', '-qq', '--no-install-recommends', ...missing], { env })
    return undefined
  } catch {
    return `${where}, and apt-get could not install ${missing.join(', ')}`
  }
}

async function openOwnDaemon(say: (line: string) => void): Promise<Engine | string> {
  // Debian's client has BuildKit built in; others need a plugin for it.
  const client = ['/usr/bin/docker'].find(existsSync) ?? 'docker'
  const daemon = createOwnDaemon(folder, client)
  // Detached as it is, it would outlive whoever is asked to end, in the middle of a build too.
  const stop = () => void daemon.close().finally(() => process.exit(1))
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, stop)
  try {
    await daemon.claim()
    await daemon.start('build')
    const images = await buildOfflineImages({ folder, client, env: daemon.env, say })
    return {
      client,
      what: 'a Docker daemon of our own with images made of packages (parley-offline)',
      env: { ...daemon.env, ...images, COMPOSE_FILE: 'docker-compose.yml:deploy/ci/src/containers/own-daemon.yml' },
      inside: daemon.inside,
      buildArguments: [
        '--network',
        'host',
        ...['NODE_IMAGE', 'KEYCLOAK_IMAGE'].flatMap((name) => ['--build-arg', `${name}=${images[name]}`]),
      ],
      run: () => daemon.start('run'),
      close: () => daemon.close(),
    }
  } catch (error) {
    await daemon.close()
    throw error
  }
}
