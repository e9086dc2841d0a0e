import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Engine, run } from '../src/containers/command.ts'
import { programPath, toolsCache } from '../src/tools/folders.ts'
import { createDaemon } from './daemon.ts'
import { buildOfflineImages } from './images.ts'

/** Folder of everything that may be kept for the next clone: downloads and images. */
const folder = join(toolsCache, 'docker')

/** Debian's packages by the program that each is needed for. */
const packages = {
  dockerd: 'docker.io',
  containerd: 'containerd',
  iptables: 'iptables',
  debootstrap: 'debootstrap',
  ip: 'iproute2',
}

/** A daemon of our own with images made of packages, ready to build. @returns a sentence why it cannot be had. */
export async function openOfflineEngine(log: (line: string) => void): Promise<Engine | string> {
  const obstacle = await whyNot(log)
  if (obstacle) return `no Docker daemon that can pull images, and ${obstacle}`
  // Debian's client has BuildKit built in; others need a plugin for it.
  const client = ['/usr/bin/docker'].find(existsSync) ?? 'docker'
  const daemon = createDaemon(folder, client)
  // The detached daemon would outlive this process when it is stopped, even in the middle of a build.
  const stop = () => void daemon.close().finally(() => process.exit(1))
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, stop)
  try {
    await daemon.claim()
    await daemon.start('build')
    const images = await buildOfflineImages({ folder, client, env: daemon.env, log })
    const bases = ['NODE_IMAGE', 'KEYCLOAK_IMAGE'].flatMap((name) => ['--build-arg', `${name}=${images[name]}`])
    return {
      client,
      what: 'a Docker daemon of our own with images made of packages (parley-offline)',
      isOffline: true,
      env: { ...daemon.env, ...images, COMPOSE_FILE: 'docker-compose.yml:deploy/ci/offline/compose.yml' },
      inside: daemon.inside,
      buildArguments: ['--network', 'host', ...bases],
      run: () => daemon.start('run'),
      close: () => daemon.close(),
    }
  } catch (error) {
    await daemon.close()
    throw error
  }
}

/** Installs what is missing: a runner of CI is root on a machine of its own. */
async function whyNot(log: (line: string) => void): Promise<string | undefined> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return 'one of our own needs Linux on x64'
  if (process.getuid?.() !== 0) return 'one of our own needs root'
  const missing = Object.entries(packages).flatMap(([program, name]) => (programPath(program) ? [] : [name]))
  if (missing.length === 0) return undefined
  log(`installing ${missing.join(', ')}`)
  const env = { DEBIAN_FRONTEND: 'noninteractive' }
  try {
    await run(['apt-get', 'update', '-qq'], { env })
    await run(['apt-get', 'install', '-y', '-qq', '--no-install-recommends', ...missing], { env })
    return undefined
  } catch {
    return `apt-get could not install ${missing.join(', ')}`
  }
}
