import { errorBodySchema } from '@parley/contracts/core/errors'
import { startInternalAuthority } from '@parley/service-kit/testing/internal-authority'
import { startProcess, type TestProcess } from '@parley/service-kit/testing/start-process'
import { inject } from 'vitest'
import { z } from 'zod'

export const serverFile = `${import.meta.dirname}/../server.ts`
export const password = 'correct horse'

let people = 0
export const newEmail = () => `identity-${process.pid}-${++people}@parley.test`

const mailsSchema = z.array(
  z.object({ subject: z.string(), text: z.string().default(''), to: z.array(z.object({ address: z.string() })) }),
)
/** Mails in the stack's catcher. */
export async function mailsTo(address: string) {
  const mails = mailsSchema.parse(await (await fetch(`${inject('stack').urls.mail}/email`)).json())
  return mails.filter(({ to }) => to.some((recipient) => recipient.address === address))
}

/** The identity process on the provider of the test stack, and an authority of its own whose tokens it takes. */
export async function startIdentity() {
  const authority = await startInternalAuthority()
  const running: TestProcess[] = []
  const { env } = inject('stack')

  /** Starts another process with other settings. */
  async function another(overrides: Record<string, string> = {}): Promise<TestProcess> {
    const environment = { ...env.identity, INTERNAL_ISSUERS: authority.issuers, ...overrides }
    const server = await startProcess(serverFile, environment)
    running.push(server)
    return server
  }
  const firstProcess = await another()

  async function post(
    path: string,
    json?: unknown,
    { url = firstProcess.url, bearer }: { url?: string; bearer?: string } = {},
  ) {
    // Each call gets a new token, which lives two minutes.
    const token = bearer ?? (await authority.serviceToken('identity'))
    const answer = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, ...(json !== undefined && { 'content-type': 'application/json' }) },
      ...(json !== undefined && { body: JSON.stringify(json) }),
    })
    const text = await answer.text()
    const code = answer.status < 400 ? '' : errorBodySchema.parse(JSON.parse(text)).code
    return { status: answer.status, text, code }
  }

  async function createAccount(email = newEmail()) {
    const { status, text } = await post('/internal/accounts', { email, password })
    if (status !== 201) throw new Error(`creating an account answered ${status}: ${text}`)
    return { email, ...z.object({ sub: z.string() }).strict().parse(JSON.parse(text)) }
  }

  return {
    url: firstProcess.url,
    output: firstProcess.output,
    authority,
    another,
    post,
    createAccount,
    stop: async () => {
      await Promise.all(running.map((server) => server.stop()))
      await authority.close()
    },
  }
}
export type IdentityUnderTest = Awaited<ReturnType<typeof startIdentity>>
