import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync, rmSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { processNames } from '@parley/processes/processes'
import { freePort } from '@parley/service-kit/testing/free-port'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { inspectPortOf } from '../components/process.ts'
import { repoRoot, stackPaths } from '../paths.ts'
import { isAlive } from '../processes.ts'
import { signUp } from '../testing/app-visitor.ts'
import { throwAwayFolder } from '../testing/throw-away-folder.ts'

const home = throwAwayFolder()
let launcher: ChildProcess | undefined
let origin = ''
let printed = ''

beforeAll(async () => {
  const port = String(await freePort())
  origin = `http://localhost:${port}`
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], PARLEY_HOME: home, PORT: port }
  launcher = spawn(process.execPath, [join(repoRoot, 'deploy/local/start.mjs'), '--dev'], { env })
  for (const output of [launcher.stdout, launcher.stderr])
    output?.on('data', (chunk: Buffer) => {
      printed += chunk.toString()
    })
  await vi.waitFor(() => expect(printed).toContain(`Open ${origin}`), { timeout: 280_000, interval: 100 })
})
afterAll(async () => {
  launcher?.kill('SIGTERM')
  await vi.waitFor(() => expect(isAlive(launcher?.pid ?? 0)).toBe(false), { timeout: 60_000 })
  rmSync(home, { recursive: true, force: true })
})

/** Changes a file as an editor does that saves it, with the same content. */
const touch = (file: string) => utimesSync(join(repoRoot, file), new Date(), new Date())
const text = async (path: string, headers = {}) => (await fetch(origin + path, { headers })).text()

test('page and calls have one address, and a process restarts with its files while the session lives on', async () => {
  expect(await text('/dashboard')).toContain('/@vite/client')
  const { cookie } = await signUp(origin, { email: 'dev@parley.test', password: 'correct horse battery' })
  const user = async () => (await fetch(`${origin}/api/auth/user`, { headers: { cookie } })).status
  expect(await user()).toBe(200)
  const log = () => readFileSync(join(stackPaths(home).logs, 'profile.log'), 'utf8')
  expect(log()).not.toMatch(/restarted/i)
  touch('services/profile/src/modules/profile/profile.service.ts')
  await expect.poll(log).toMatch(/restarted/i)
  await expect.poll(user).toBe(200)
})

test('a screen that is loaded is replaced in place', async () => {
  const screen = '/src/features/dashboard/credit-usage.tsx'
  expect(await text(screen)).toContain('$RefreshReg$')
  const token = /wsToken = "([^"]+)"/.exec(await text('/@vite/client'))?.[1]
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/?token=${token}`, 'vite-hmr')
  const messages: string[] = []
  socket.addEventListener('message', ({ data }) => messages.push(String(data)))
  await expect.poll(() => messages.join()).toContain('connected')
  touch(`frontend${screen}`)
  await expect.poll(() => messages.join()).toContain(`"path":"${screen}"`)
  socket.close()
})

test('the editor attaches to the port of each process', () => {
  const { configurations } = JSON.parse(readFileSync(join(repoRoot, '.vscode/launch.json'), 'utf8'))
  expect(configurations.map(({ name, port }: { name: string; port: number }) => [name, port])).toEqual(
    processNames.map((name) => [name, inspectPortOf(name)]),
  )
})
