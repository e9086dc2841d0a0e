import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { isAlive } from '@parley/local/processes'
import { run, succeeds } from '../src/containers/command.ts'

/**
 * `build`: in the machine's network and without a bridge, so that the steps of a build reach the package registries.
 * `run`: in the namespace, with bridges, names and ports. Both see the same images.
 */
type Mode = 'build' | 'run'

const network: Readonly<Record<Mode, readonly string[]>> = {
  build: ['--iptables=false', '--ip6tables=false', '--bridge=none'],
  run: ['--bip', '10.200.0.1/24', '--default-address-pool', 'base=10.201.0.0/16,size=24'],
}

/** A dockerd of our own for machines on which none runs; needs root. What it keeps lies under `folder`. */
export function createDaemon(folder: string, client: string) {
  const pidFile = join(folder, 'dockerd.pid')
  const lockFile = join(folder, 'used-by.pid')
  // Bridges and published ports live in a network namespace that only this daemon uses.
  const namespace = `parley-${createHash('sha256').update(folder).digest('hex').slice(0, 8)}`
  const namespaceFile = `/run/netns/${namespace}`
  // `ip netns exec` would hide the mounts of the control groups from the daemon: hence nsenter everywhere.
  const inside = ['nsenter', `--net=${namespaceFile}`]
  const env = { DOCKER_HOST: `unix://${join(folder, 'docker.sock')}`, DOCKER_BUILDKIT: '1' }
  const pidIn = (file: string) => (existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0)
  let daemon: ChildProcess | undefined

  /** @throws if another run uses the folder. */
  async function claim(): Promise<void> {
    mkdirSync(folder, { recursive: true })
    const owner = pidIn(lockFile)
    if (owner > 0 && owner !== process.pid && isAlive(owner))
      throw new Error(`process ${owner} uses the containers in ${folder}; wait until it has ended`)
    writeFileSync(lockFile, String(process.pid))
    const left = pidIn(pidFile)
    if (!(left > 0) || !isAlive(left) || !readFileSync(`/proc/${left}/comm`, 'utf8').startsWith('dockerd')) return
    process.kill(left, 'SIGTERM')
    while (isAlive(left)) await wait(100)
  }

  async function start(mode: Mode): Promise<void> {
    await stop()
    if (mode === 'run' && !existsSync(namespaceFile)) {
      await run(['ip', 'netns', 'add', namespace])
      await run([...inside, 'ip', 'link', 'set', 'lo', 'up'])
    }
    const common = ['--host', env.DOCKER_HOST, '--data-root', join(folder, 'data'), '--exec-root', join(folder, 'exec')]
    const command = ['dockerd', ...common, '--pidfile', pidFile, '--oom-score-adjust', '0', ...network[mode]]
    const [file = '', ...args] = mode === 'run' ? [...inside, ...command] : command
    const logFile = join(folder, `dockerd-${mode}.log`)
    const log = openSync(logFile, 'w')
    const started = spawn(file, args, { stdio: ['ignore', log, log], detached: true })
    daemon = started
    const deadline = performance.now() + 180_000
    while (!(await succeeds([client, 'version'], { env }))) {
      if (started.exitCode !== null || performance.now() > deadline)
        throw new Error(`dockerd did not start; see ${logFile}`)
      await wait(200)
    }
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
