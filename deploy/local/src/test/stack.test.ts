import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { expect, onTestFinished, test, vi } from 'vitest'
import { findLeftovers } from '../children.ts'
import { stackPaths } from '../paths.ts'
import { isAlive } from '../processes.ts'
import { startStack } from '../stack.ts'
import { ownStack } from '../testing/own-stack.ts'
import { throwAwayFolder } from '../testing/throw-away-folder.ts'

/** A launcher in a process of its own, so that it can be killed. Prints the ids of its children once they run. */
async function launcherProcess(dataDir: string): Promise<{ pid: number; children: number[] }> {
  const code = `
    const { startStack } = await import(${JSON.stringify(join(import.meta.dirname, '../stack.ts'))})
    await startStack({ dataDir: ${JSON.stringify(dataDir)}, components: ['redis'], environment: {} })
    console.log('up')
  `
  const launcher = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void launcher.kill('SIGKILL'))
  await once(launcher.stdout, 'data')
  const children = findLeftovers(stackPaths(dataDir).children).map((child) => child.pid)
  return { pid: launcher.pid ?? 0, children }
}

function keptFolder(): string {
  const folder = throwAwayFolder()
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

async function setName(url: string, value?: string): Promise<string | null> {
  const redis = new Redis(url)
  try {
    if (value !== undefined) await redis.set('name', value)
    return await redis.get('name')
  } finally {
    redis.disconnect()
  }
}

test('a restart keeps ports, secrets and data; --fresh keeps none of them', async () => {
  const options = { dataDir: keptFolder(), components: ['redis'] as const, environment: {} }
  const first = await startStack(options)
  await setName(first.urls.redis, 'kept')
  await first.stop()
  const second = await startStack(options)
  expect(second.urls).toEqual(first.urls)
  expect(second.secrets).toEqual(first.secrets)
  expect(await setName(second.urls.redis)).toBe('kept')
  await second.stop()
  const third = await startStack({ ...options, fresh: true })
  onTestFinished(third.stop)
  expect(await setName(third.urls.redis)).toBeNull()
  expect(third.secrets).not.toEqual(first.secrets)
})

test('a stopped stack leaves no process and no lock', async () => {
  const dataDir = keptFolder()
  const stack = await startStack({ dataDir, components: ['mongodb', 'redis'], environment: {} })
  const children = findLeftovers(stackPaths(dataDir).children).map((child) => child.pid)
  expect(children).toHaveLength(2)
  await stack.stop()
  expect(children.filter(isAlive)).toEqual([])
  expect(existsSync(stackPaths(dataDir).lock)).toBe(false)
})

test('the children of a launcher that is killed outright are ended at once', async () => {
  const { pid, children } = await launcherProcess(keptFolder())
  expect(children).toHaveLength(1)
  process.kill(pid, 'SIGKILL')
  await vi.waitFor(() => expect(children.filter(isAlive)).toEqual([]))
})

test('what still runs from a killed launcher is ended by the next start, and reported', async () => {
  const dataDir = keptFolder()
  const { pid, children } = await launcherProcess(dataDir)
  const supervisor = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number)
  for (const id of supervisor.filter((candidate) => !children.includes(candidate))) process.kill(id, 'SIGKILL')
  process.kill(pid, 'SIGKILL')
  await vi.waitFor(() => expect(isAlive(pid)).toBe(false))
  const { notes } = await ownStack(['redis'], { dataDir })
  expect(notes()).toContain('The last start ended without removing its lock; it was removed now.')
  expect(notes()).toContain('Still running from the last start and ended now: redis.')
  expect(children.filter(isAlive)).toEqual([])
})

test('another backing than before is refused and the data of before stays', async () => {
  const dataDir = keptFolder()
  const first = await startStack({ dataDir, components: ['redis'], environment: {} })
  await setName(first.urls.redis, 'precious')
  await first.stop()
  const elsewhere = {
    dataDir,
    components: ['redis'] as const,
    environment: { REDIS_URL: 'redis://cache.example.com:6379' },
  }
  await expect(startStack(elsewhere)).rejects.toThrow(/cache\.example\.com:6379.*npm start -- --fresh/)
  const again = await startStack({ dataDir, components: ['redis'], environment: {} })
  onTestFinished(again.stop)
  expect(await setName(again.urls.redis)).toBe('precious')
})

test('a URL in the environment is used as it is, and nothing is started for it', async () => {
  const { stack: server } = await ownStack(['redis'])
  const { stack } = await ownStack(['redis'], { environment: { REDIS_URL: server.urls.redis } })
  expect(stack.urls.redis).toBe(server.urls.redis)
  expect(stack.env.bff['REDIS_URL']).toBe(server.urls.redis)
  expect(() => stack.kill('redis', 'SIGTERM')).toThrow(/not run by this stack/)
})

test('a URL behind which nothing answers is told with the variable that names it', async () => {
  const environment = { MONGODB_URL: 'mongodb://user:secret@127.0.0.1:1/' }
  const starting = ownStack(['mongodb'], { environment })
  await expect(starting).rejects.toThrow(/MongoDB at 127\.0\.0\.1:1, named by MONGODB_URL, does not answer\. Start/)
})

test('two stacks run side by side', async () => {
  const { stack: one } = await ownStack(['redis'])
  const { stack: other } = await ownStack(['redis'])
  await setName(one.urls.redis, 'one')
  expect(await setName(other.urls.redis)).toBeNull()
})

test('a second start in the same folder is refused while the first goes on', async () => {
  const dataDir = throwAwayFolder()
  const { stack } = await ownStack(['redis'], { dataDir })
  await expect(startStack({ dataDir, components: ['redis'], environment: {} })).rejects.toThrow(/already runs/)
  expect(await setName(stack.urls.redis, 'alive')).toBe('alive')
})

test('a start that is given up half-way stops what it had started', async () => {
  const dataDir = keptFolder()
  const aborter = new AbortController()
  const starting = startStack({
    dataDir,
    components: ['mongodb', 'redis'],
    environment: {},
    signal: aborter.signal,
    onProgress: (progress) => progress.kind === 'ready' && aborter.abort(),
  })
  await expect(starting).rejects.toThrow(/interrupted|stopped/)
  expect(findLeftovers(stackPaths(dataDir).children)).toEqual([])
  expect(existsSync(stackPaths(dataDir).lock)).toBe(false)
})

test('a store that cannot start is told with the last lines of its log', async () => {
  const dataDir = keptFolder()
  const stack = await startStack({ dataDir, components: ['redis'], environment: {} })
  await setName(stack.urls.redis, 'x')
  await stack.stop()
  const { data } = stackPaths(dataDir)
  rmSync(join(data, 'redis/appendonlydir'), { recursive: true })
  writeFileSync(join(data, 'redis/appendonlydir'), 'not a folder')
  await expect(startStack({ dataDir, components: ['redis'], environment: {} })).rejects.toThrow(
    /Redis stopped while starting \(exit code 1\)[\s\S]*appendonly/i,
  )
})

test('a stand-in refuses to run in production', async () => {
  const dataDir = keptFolder()
  const starting = startStack({ dataDir, components: ['mail'], environment: { NODE_ENV: 'production' } })
  await expect(starting).rejects.toThrow(/NODE_ENV is production.*stand-in/)
})
