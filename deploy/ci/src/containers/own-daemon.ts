import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { isAlive } from '@parley/local/processes'
import { run, succeeds } from './command.ts'

/**
 * `build`: in the machine's network and without a bridge, so that the steps of a build reach the package registries.
 * `run`: in the namespace, with bridges, names and ports. Both see the same images.
 */
export type Mode = 'build' | 'run'

/** A dockerd of our own for machines on which none runs; needs root. What it keeps lies under `folder`. */
export function createOwnDaemon(folder: string, client: string) {
  const socket = join(folder, 'docker.sock')
  const pidFile = join(folder, 'dockerd.pid')
  const lockFile = join(folder, 'used-by.pid')
  // Bridges and published ports live in a network namespace that only this daemon uses.
  const namespace = `parley-${createHash('sha256').update(folder).digest('hex').slice(0, 8)}`
  const namespaceFile = `/run/netns/${namespace}`
  const inside = ['nsenter', `--net=${namespaceFile}`]
  const env = { DOCKER_HOST: `unix://${socket}`, DOCKER_BUILDKIT: '1' }
  let daemon: ChildProcess | undefined

  /** @throws if another run uses the folder. */
  async function claim(): Promise<void> {
    mkdirSync(folder, { recursive: true })
    const owner = existsSync(lockFile) ? Number(readFileSync(lockFile, 'utf8')) : 0
    if (owner !== process.pid && owner > 0 && isAlive(owner))
      throw new Error(`process ${owner} uses the containers in ${folder}; wait until it has ended`)
    writeFileSync(lockFile, String(process.pid))
    await stopLeftOver()
  }

  async function stopLeftOver(): Promise<void> {
    const pid = existsSync(pidFile) ? Number(readFileSync(pidFile, 'utf8')) : 0
    if (!(pid > 0) || !isAlive(pid) || !readFileSync(`/proc/${pid}/comm`, 'utf8').startsWith('dockerd')) return
    process.kill(pid, 'SIGTERM')
    while (isAlive(pid)) await wait(100)
  }

  async function start(mode: Mode): Promise<void> {
    await stop()
    if (mode === 'run') await makeNamespace()
    const common = ['--host', env.DOCKER_HOST, '--data-root', join(folder, 'data'), '--exec-root', join(folder, 'exec')]
    const command = ['dockerd', ...common, '--pidfile', pidFile, '--oom-score-adjust', '0', ...networkOf(mode)]
    const [file = '', ...args] = mode === 'run' ? [...inside, ...command] : command
    const log = openSync(join(folder, `dockerd-${mode}.log`), 'w')
    daemon = spawn(file, args, { stdio: ['ignore', log, log], detached: true })
    const started = daemon
    const deadline = Date.now() + 180_000
    while (!(await succeeds([client, 'version'], { env }))) {
      if (started.exitCode !== null || Date.now() > deadline)
        throw new Error(`dockerd did not start; see ${join(folder, `dockerd-${mode}.log`)}`)
      await wait(200)
    }
  }

  /** `ip netns exec` would hide the mounts of the control groups from the daemon: hence nsenter everywhere. */
  async function makeNamespace(): Promise<void> {
    if (existsSync(namespaceFile)) return
    await run(['ip', 'netns', 'add', namespace])
    await run([...inside, 'ip', 'link', 'set', 'lo', 'up'])
  }

  async function stop(): Promise<void> {
    const running = daemon
    daemon = undefined
    if (!running || running.exitCode !== null || running.signalCode !== null) return
    const ended = new Promise((resolve) => running.once('exit', resolve))
    running.kill('SIGTERM')
    await ended
  }

  async function close(): Promise<void> {
    await stop()
    if (existsSync(namespaceFile)) await run(['ip', 'netns', 'delete', namespace])
    rmSync(lockFile, { force: true })
  }
  /** `inside` goes before a command that opens what containers publish. */
  return { env, inside, claim, start, close }
}

const networkOf = (mode: Mode) =>
  mode === 'build'
    ? ['--iptables=false', '--ip6tables=false', '--bridge=none']
    : ['--bip', '10.200.0.1/24', '--default-address-pool', 'base=10.201.0.0/16,size=24']
