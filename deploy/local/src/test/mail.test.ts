import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import { expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'
import { repoRoot } from '../paths.ts'
import { startStack } from '../stack.ts'
import { throwAwayFolder } from '../testing/throw-away-folder.ts'

const emailsSchema = z.array(z.object({ subject: z.string(), text: z.string() }))
const emails = async (page: string) => emailsSchema.parse(await (await fetch(`${page}/email`)).json())

test('a mail handed in by SMTP is shown on the page and is still there after a restart', async () => {
  const dataDir = throwAwayFolder()
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  const options = { dataDir, components: ['mail'] as const, environment: {} }
  const stack = await startStack(options)
  const smtp = createTransport(stack.env['identity-provider']['SMTP_URL'] ?? '')
  await smtp.sendMail({ from: 'a@parley.local', to: 'b@parley.local', subject: 'Verify', text: 'Click here' })
  await vi.waitFor(async () => expect(await emails(stack.urls.mail)).toHaveLength(1))
  const ask = async (headers: Record<string, string>) => {
    const { promise, resolve, reject } = Promise.withResolvers<number | undefined>()
    get(`${stack.urls.mail}/email`, { headers }, (answer) => resolve(answer.resume().statusCode)).once('error', reject)
    return promise
  }
  const { host, origin } = new URL(stack.urls.mail)
  expect(await ask({ host, origin })).toBe(200)
  // Another website, and one that has its own name lead here.
  expect(await ask({ host, origin: 'https://example.com' })).toBe(421)
  expect(await ask({ host: 'example.com' })).toBe(421)
  await stack.stop()
  const again = await startStack(options)
  onTestFinished(again.stop)
  await vi.waitFor(async () => expect(await emails(again.urls.mail)).toMatchObject([{ subject: 'Verify' }]))
})

test('the catcher itself refuses to run in production', () => {
  const script = join(repoRoot, 'deploy/local/src/mail/server.ts')
  const env = { NODE_ENV: 'production', PORT: '1', SMTP_PORT: '1', DATA_DIR: '/nowhere' }
  const { status, stderr } = spawnSync(process.execPath, [script], { env, encoding: 'utf8', timeout: 300_000 })
  expect(status).toBe(1)
  expect(stderr).toContain('does not run with NODE_ENV=production')
})
