import { execFile } from 'node:child_process'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'

/** Covers what k6 itself does with the scripts, on a target and a provider that misbehave as wanted. */
const script = (name: string) => fileURLToPath(new URL(`../${name}.ts`, import.meta.url))

let server: Server | undefined
afterEach(() => void server?.close())

const json = { 'content-type': 'application/json' }

/**
 * The app and the provider in one.
 * @param failAt the account with this number cannot be made.
 * @param ingress what is answered in the app's place for operators' paths, and whether the app itself answers.
 */
async function startTarget({
  ready = true,
  failAt = Number.POSITIVE_INFINITY,
  ingress,
}: {
  ready?: boolean
  failAt?: number
  ingress?: { status: number; appAnswers: boolean }
} = {}) {
  const accounts = new Map<string, string>()
  const answers: Record<string, (req: IncomingMessage, res: ServerResponse) => Promise<void> | void> = {
    '/readyz': (_req, res) =>
      ingress
        ? void res.writeHead(ingress.status, { 'content-type': 'text/html' }).end('<h1>"parts"</h1>')
        : void res.writeHead(ready ? 200 : 503, json).end('{"parts":{"redis":{"ok":false}}}'),
    '/auth/session': (_req, res) =>
      ingress?.appAnswers
        ? void res.writeHead(200, json).end('{"authenticated":false}')
        : void res.writeHead(503).end('<h1>nothing behind</h1>'),
    '/realms/parley/.well-known/openid-configuration': (_req, res) => void res.end('{}'),
    '/realms/parley/protocol/openid-connect/token': (_req, res) => void res.end('{"access_token":"t"}'),
    '/admin/realms/parley/users': async (req, res) => {
      if (req.method === 'GET') {
        res.end(JSON.stringify([...accounts].map(([id, email]) => ({ id, email }))))
        return
      }
      const { email } = z.object({ email: z.string() }).parse(JSON.parse(await bodyOf(req)))
      const fails = email.includes(`-${failAt}@`)
      if (!fails) accounts.set(String(accounts.size + 1), email)
      res.writeHead(fails ? 500 : 201).end()
    },
  }
  server = createServer((req, res) => {
    const path = req.url?.split('?')[0] ?? ''
    const answer = answers[path]
    if (answer) return void answer(req, res)
    if (req.method === 'DELETE') accounts.delete(path.split('/').at(-1) ?? '')
    res.writeHead(req.method === 'DELETE' ? 204 : 404).end()
  })
  const { port } = await new Promise<AddressInfo>((resolve) => {
    server?.listen(0, '127.0.0.1', () => resolve(server?.address() as AddressInfo))
  })
  const origin = `http://127.0.0.1:${port}`
  const env = { TARGET: origin, OIDC_ISSUER: `${origin}/realms/parley`, ADMIN_CLIENT_SECRET: 'secret' }
  return { accounts, env }
}

async function bodyOf(req: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of req) text += chunk
  return text
}

const runK6 = (name: string, env: Record<string, string>) =>
  new Promise<{ code: number; output: string }>((resolve) => {
    const options = { env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env } }
    execFile('k6', ['run', '--quiet', '--no-usage-report', script(name)], options, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), output: stdout + stderr }),
    )
  })

test('a missing variable is named', async () => {
  const { code, output } = await runK6('sign-in', {})
  expect(code).not.toBe(0)
  expect(output).toContain('TARGET is not set')
})

test('a target that may be in production is refused', async () => {
  const { env } = await startTarget()
  const { code, output } = await runK6('sign-in', { ...env, TARGET: 'https://app.example.com' })
  expect(code).not.toBe(0)
  expect(output).toContain('ALLOW_TARGET=app.example.com')
})

test('a target that is not ready is not loaded, and no account is made for it', async () => {
  const { env, accounts } = await startTarget({ ready: false })
  const { code, output } = await runK6('sign-in', env)
  expect(code).not.toBe(0)
  expect(output).toMatch(/The target is not ready, so nothing was loaded.*redis/)
  expect(accounts.size).toBe(0)
})

test.each([
  ['no pods', 503],
  ['the page', 200],
])('behind an Ingress that leads operators’ paths to %s the app is asked otherwise', async (_where, status) => {
  const { env } = await startTarget({ failAt: 0, ingress: { status, appAnswers: true } })
  expect((await runK6('sign-in', env)).output).toContain('Making an account at the provider answered 500')
  server?.close()
  const gone = await startTarget({ ingress: { status, appAnswers: false } })
  expect((await runK6('sign-in', gone.env)).output).toMatch(/not ready.*\/auth\/session answered 503/)
  expect(gone.accounts.size).toBe(0)
})

test('accounts are made where the admin interface is, not where browsers go', async () => {
  const inside = await startTarget({ failAt: 0 })
  const insideServer = server
  const { env, accounts } = await startTarget()
  const { output } = await runK6('sign-in', { ...env, ADMIN_ISSUER: inside.env.OIDC_ISSUER })
  insideServer?.close()
  expect(output).toContain('Making an account at the provider answered 500')
  expect(accounts.size).toBe(0)
})

test('nobody listens at the target: the same', async () => {
  const { env } = await startTarget()
  const { output } = await runK6('sign-in', { ...env, TARGET: 'http://127.0.0.1:9' })
  expect(output).toContain('The target is not ready, so nothing was loaded.')
})

test('a setup that dies half way leaves no account behind', async () => {
  const { env, accounts } = await startTarget({ failAt: 7 })
  const { code, output } = await runK6('sign-in', env)
  expect(code).not.toBe(0)
  expect(output).toContain('Making an account at the provider answered 500')
  expect([...accounts.values()]).toEqual([])
})

test('what a killed run has left is removed by the next; people are not', async () => {
  const { env, accounts } = await startTarget()
  accounts.set('x1', 'load-1700000000-gone-1@load.parley.test')
  accounts.set('x2', 'load-9999999999-other-1@load.parley.test')
  accounts.set('x3', 'load-balancer@example.com')
  expect(await runK6('remove-users', env)).toMatchObject({ code: 0 })
  expect([...accounts.keys()]).toEqual(['x2', 'x3'])
  expect(await runK6('remove-users', { ...env, RUN_ID: 'other' })).toMatchObject({ code: 0 })
  expect([...accounts.keys()]).toEqual(['x3'])
})
