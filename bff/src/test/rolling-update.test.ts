import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startProcess, type TestProcess } from '@parley/service-kit/testing/start-process'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { issuedSession } from './issued-session.ts'
import { startBff } from './start-bff.ts'
import { startTestIssuer, type TestIssuer } from './test-issuer.ts'

const workers = 8

/**
 * One address in front of replicas, as a Service has it: a new connection goes to a replica that is listed, one that exists
 * stays where it is.
 */
async function startService() {
  let replicas: URL[] = []
  let next = 0
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const { port, hostname } = replicas[next++ % replicas.length] ?? new URL('http://127.0.0.1:9')
    const far = connect({ port: Number(port), host: hostname, allowHalfOpen: true })
    near.allowHalfOpen = true
    near.pipe(far)
    far.pipe(near)
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket)
      socket.once('error', () => other.destroy())
      socket.once('close', () => sockets.delete(socket))
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    list: (...processes: TestProcess[]) => {
      replicas = processes.map(({ url }) => new URL(url))
    },
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}
type Service = Awaited<ReturnType<typeof startService>>

const site = mkdtempSync(join(tmpdir(), 'parley-site-'))
writeFileSync(join(site, 'index.html'), '<!doctype html><title>Parley</title>')
let issuer: TestIssuer
let profiles: Service
let bffs: Service
let running: TestProcess[] = []
beforeAll(async () => {
  issuer = await startTestIssuer()
  profiles = await startService()
  bffs = await startService()
})
afterAll(async () => {
  await Promise.all(running.map(({ stop }) => stop()))
  await Promise.all([profiles.stop(), bffs.stop(), issuer.stop()])
  rmSync(site, { recursive: true })
})

async function start(file: string, env: Record<string, string>): Promise<TestProcess> {
  const started = await startProcess(join(inject('stack').repoRoot, file), env)
  running.push(started)
  await expect.poll(async () => (await fetch(`${started.url}/readyz`)).status).toBe(200)
  return started
}
const { env } = inject('stack')
const startProfile = () => start('services/profile/src/server.ts', { ...env.profile, HOST: '127.0.0.1' })
const bffEnvironment = () => ({ ...env.bff, OIDC_ISSUER: issuer.issuer, PROFILE_URL: profiles.url, STATIC_DIR: site })
const startBffProcess = () => start('bff/src/server.ts', { ...bffEnvironment(), MANAGEMENT_PORT: '0' })

/** The order of Kubernetes: the successor is ready, the old one is taken from the list (preStop waits for that), then SIGTERM. */
async function replace(service: Service, old: TestProcess, startNew: () => Promise<TestProcess>): Promise<TestProcess> {
  const successor = await startNew()
  service.list(successor)
  expect(await old.stop()).toBe(0)
  running = running.filter((one) => one !== old)
  return successor
}

test('a rolling update of profile and BFF fails no request', async () => {
  let profile = await startProfile()
  profiles.list(profile)
  let bff = await startBffProcess()
  bffs.list(bff)
  const signer = await startBff(bffEnvironment())
  const { session } = await issuedSession(signer, issuer)
  const cookie = `${signer.dependencies.cookie.name}=${session.secret}`
  await signer.stop()

  const agent = new Agent({ keepAlive: true, maxSockets: workers })
  const outcomes = new Map<string, number>()
  let goOn = true
  const work = async () => {
    while (goOn) {
      const outcome = await ask(agent, cookie)
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
    }
  }
  const working = Array.from({ length: workers }, work)
  try {
    for (let round = 0; round < 2; round++) {
      profile = await replace(profiles, profile, startProfile)
      bff = await replace(bffs, bff, startBffProcess)
    }
  } finally {
    goOn = false
    await Promise.all(working)
    agent.destroy()
  }
  expect([...outcomes.keys()]).toEqual(['200'])
  expect(outcomes.get('200')).toBeGreaterThan(100)
}, 180_000)

function ask(agent: Agent, cookie: string): Promise<string> {
  return new Promise((resolve) => {
    const call = request(`${bffs.url}/api/auth/user`, { agent, headers: { cookie } }, (answer) => {
      answer.resume().once('end', () => resolve(String(answer.statusCode)))
      answer.once('error', (error) => resolve(error.message))
    })
    call.once('error', (error) => resolve(error.message))
    call.end()
  })
}
