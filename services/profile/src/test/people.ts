import { startProcess } from '@parley/service-kit/testing/start-process'
import { emptyTestRedis } from '@parley/service-kit/testing/test-redis'
import { expect, inject } from 'vitest'
import { startMailServer } from './mail-server.ts'
import { startMessagingPeer } from './start-messaging-peer.ts'
import { callingMessaging, newSignIn, type Person, startProfile } from './start-profile.ts'

const workerFile = `${import.meta.dirname}/../worker.ts`

/** Keys by which the worker seals the audit log. */
export const auditKeys = `k1:${Buffer.alloc(32, 7).toString('base64')}`

/** Profile with its worker, a mail server and what it needs of messaging, for tests about the people of workspaces. */
export async function startPeople() {
  const [messaging, mailServer, redisUrl] = await Promise.all([
    startMessagingPeer(),
    startMailServer(),
    emptyTestRedis(inject('stack').urls.redis),
  ])
  const profile = await startProfile({ MESSAGING_URL: messaging.url, REDIS_URL: redisUrl })
  const worker = await startProcess(
    workerFile,
    {
      MONGODB_URL: profile.database.url,
      REDIS_URL: redisUrl,
      ...callingMessaging,
      MESSAGING_URL: messaging.url,
      SMTP_URL: mailServer.url,
      AUDIT_KEYS: auditKeys,
      MAIL_FROM: 'no-reply@parley.example',
      PUBLIC_ORIGIN: 'https://app.example.com',
      LOG_LEVEL: 'warn',
    },
    '/readyz',
  )

  /** An answer of the API to a person. */
  async function call(by: Person, method: string, path: string, json?: unknown) {
    const { status, text } = await profile.call(method, path, { token: await by.token(), json })
    // biome-ignore lint/suspicious/noExplicitAny: an answer of a shape that each test knows, and checks.
    const body: any = text === '' ? undefined : JSON.parse(text)
    return { status, body }
  }

  /** Waits for the next mail to an address, and takes the token of its link. */
  async function tokenMailedTo(email: string): Promise<string> {
    const find = () => mailServer.mails.findIndex((mail) => mail.includes(`To: ${email}`))
    await expect.poll(find).toBeGreaterThanOrEqual(0)
    const [mail = ''] = mailServer.mails.splice(find(), 1)
    // Quoted-printable breaks long lines.
    const token = /#invitation=(?:3D)?([\w-]{43})/.exec(mail.replaceAll('=\n', ''))?.[1]
    if (token === undefined) throw new Error(`no link in ${mail}`)
    return token
  }

  /** Invites a new address, which follows the link with a new account. */
  async function join(by: Person, role: string): Promise<Person> {
    const { email } = newSignIn()
    const { status, body } = await call(by, 'POST', '/api/invitations', { email, role })
    if (status !== 201) throw new Error(`${status}: ${JSON.stringify(body)}`)
    return profile.signIn({ email, invitation: await tokenMailedTo(email) })
  }

  const stop = async () => {
    await worker.stop()
    await profile.stop()
    await mailServer.stop()
    messaging.stop()
  }
  return { profile, worker, messaging, mailServer, redisUrl, call, tokenMailedTo, join, stop }
}
