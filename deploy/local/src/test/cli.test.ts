import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { authApi } from '@parley/contracts/account/auth-endpoints'
import { hasProfile, userSchema } from '@parley/contracts/account/profile'
import { deployedNames } from '@parley/processes/processes'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { findLeftovers } from '../children.ts'
import { componentNames } from '../component.ts'
import { demoEmail } from '../demo-account.ts'
import { readJson } from '../files.ts'
import { repoRoot, stackPaths } from '../paths.ts'
import { isPortFree } from '../ports.ts'
import { isAlive } from '../processes.ts'
import { signIn } from '../testing/app-visitor.ts'
import { throwAwayFolder } from '../testing/throw-away-folder.ts'

const home = throwAwayFolder()
const paths = stackPaths(home)
const localUrl = /http:\/\/localhost:(\d+)/
/** Time limit of a command: while a test waits for one it cannot be timed out. */
const commandTimeoutMs = 60_000
let launcher: ChildProcess | undefined
let printed = ''

/** A free port for the app, found the way a person would: by trying. */
async function freePort(): Promise<string> {
  for (let port = 31_000; port < 32_000; port++) if (await isPortFree(port)) return String(port)
  throw new Error('no free port')
}

const environment = { PATH: process.env['PATH'], HOME: process.env['HOME'], PARLEY_HOME: home }
const script = (name: string) => join(repoRoot, 'deploy/local', name)

beforeAll(async () => {
  launcher = spawn(process.execPath, [script('start.mjs')], { env: { ...environment, PORT: await freePort() } })
  for (const output of [launcher.stdout, launcher.stderr])
    output?.on('data', (chunk: Buffer) => {
      printed += chunk.toString()
    })
  await vi.waitFor(() => expect(printed).toContain('Ctrl-C stops everything'), { timeout: 280_000, interval: 100 })
}, 300_000)

afterAll(async () => {
  launcher?.kill('SIGTERM')
  await vi.waitFor(() => expect(isAlive(launcher?.pid ?? 0)).toBe(false), { timeout: 60_000 })
  rmSync(home, { recursive: true, force: true })
}, 70_000)

const appUrl = () => readJson(paths.urls, z.object({ app: z.string() }))?.app ?? ''

test('the table names every component and its address, and the app is ready', async () => {
  for (const word of ['App', 'Profile service', 'Identity service', 'Identity provider', 'Mail', 'Redis', 'MongoDB'])
    expect(printed).toMatch(new RegExp(`^${word} .*(http|redis|mongodb)://`, 'm'))
  expect(localUrl.exec(printed)?.[0]).toBe(appUrl())
  expect((await fetch(`${appUrl()}/readyz`)).status).toBe(200)
  expect(await (await fetch(appUrl())).text()).toContain('<div id="root">')
})

test('the printed demo account signs in and has a complete profile', async () => {
  const password = /Demo account: (\S+), password (\S+)/.exec(printed)
  expect(password?.[1]).toBe(demoEmail)
  const { cookie } = await signIn(appUrl(), { email: demoEmail, password: password?.[2] ?? '' })
  const answer = await fetch(`${appUrl()}/api/auth/user`, { headers: { Cookie: cookie } })
  const user = userSchema.parse(await answer.json())
  expect(user).toMatchObject({ email: demoEmail, mobile: '+919876543210', timezone: 'Asia/Kolkata' })
  expect(hasProfile(user)).toBe(true)
  const listed = await fetch(`${appUrl()}${authApi.sessions.path}`, { headers: { Cookie: cookie } })
  const { sessions } = authApi.sessions.response.parse(await listed.json())
  expect(sessions, 'the launcher leaves no session of its own behind').toMatchObject([{ current: true }])
})

test('the doctor finds nothing wrong while everything runs', () => {
  const { status, stdout } = spawnSync(process.execPath, [script('doctor.mjs')], {
    env: environment,
    encoding: 'utf8',
    timeout: commandTimeoutMs,
  })
  expect(stdout).toContain('Nothing is wrong.')
  expect(stdout).toMatch(/Migrations +all are applied: profile \d+, messaging \d+, automation \d+/)
  expect(stdout).toMatch(/Versions +all run \d/)
  expect(stdout).toMatch(/Identity provider +127\.0\.0\.1:\d+, healthy/)
  expect(status).toBe(0)
})

test('a second start says that one runs, in one line', () => {
  const { status, stderr } = spawnSync(process.execPath, [script('start.mjs')], {
    env: environment,
    encoding: 'utf8',
    timeout: commandTimeoutMs,
  })
  expect(stderr.trim().split('\n')).toHaveLength(1)
  expect(stderr).toContain(`already runs in this folder (process ${launcher?.pid}`)
  expect(status).toBe(1)
})

test('SIGTERM stops every component and leaves none', async () => {
  const children = findLeftovers(paths.children).map((child) => child.pid)
  // The processes of Parley are one.
  expect(children).toHaveLength(componentNames.length - deployedNames.length + 1)
  launcher?.kill('SIGTERM')
  await vi.waitFor(() => expect([launcher?.exitCode, printed]).toEqual([0, expect.stringContaining('Stopped.')]), {
    timeout: 300_000,
  })
  expect(children.filter(isAlive)).toEqual([])
})
