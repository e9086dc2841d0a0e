import { useMailLink } from '@parley/service-kit/testing/provider-browser'
import type { APIRequestContext } from '@playwright/test'
import { z } from 'zod'
import type { AppProcess } from './app-process.ts'
import { linkFrom } from './mail.ts'

export interface Account {
  readonly email: string
  readonly password: string
}

let counter = 0
export const newEmail = () => `person-${process.pid}-${Date.now()}-${++counter}@parley.test`
export const password = 'correct horse'

/** Names and settings of an account whose person is of no importance. */
const profile = { firstName: 'Ann', lastName: 'Stone', mobile: '+919876543210', timezone: 'Asia/Kolkata' }

/**
 * Signs up over HTTP. The session's cookie goes to the browser context that `request` belongs to.
 * @param request of a context whose base URL is the app.
 */
export async function signUpByHttp(request: APIRequestContext, app: AppProcess): Promise<Account> {
  return untilAvailable(async () => {
    // Another one each time: what was answered so may have been done.
    const account = { email: newEmail(), password }
    await send(request, app, { method: 'POST', path: '/auth/sign-up', data: account })
    return account
  })
}

/** Follows the newest verification mail; resolves once the session knows of it. */
export async function verifyByHttp(request: APIRequestContext, app: AppProcess, account: Account): Promise<void> {
  await useMailLink(await linkFrom(app.urls.mail, account.email, 'Verify email'))
  await untilVerified(request, app, account)
}

/** Resolves once the session knows that its address is verified. */
export async function untilVerified(request: APIRequestContext, app: AppProcess, { email }: Account): Promise<void> {
  const deadline = performance.now() + 30_000
  while (performance.now() < deadline) {
    const answer = await callAsPage(request, app, { method: 'POST', path: '/auth/reload' })
    if (z.object({ emailVerified: z.boolean() }).parse(await answer.json()).emailVerified) return
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  throw new Error(`${email} was not seen to be verified`)
}

export async function completeProfileByHttp(request: APIRequestContext, app: AppProcess): Promise<void> {
  const answer = await callAsPage(request, app, { method: 'GET', path: '/auth/session' })
  const session = z.object({ id_token: z.string() }).parse(await answer.json())
  const headers = { authorization: `Bearer ${session.id_token}` }
  await callAsPage(request, app, { method: 'PATCH', path: '/api/auth/profile', data: profile, headers })
}

interface Call {
  readonly method: 'POST' | 'PATCH' | 'GET' | 'DELETE'
  readonly path: string
  readonly data?: unknown
  readonly headers?: Record<string, string>
}

/** The answer was 503 or 504, which say to ask again shortly: on a machine that stood still for a moment, for instance. */
class Unavailable extends Error {}

async function untilAvailable<T>(ask: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + 30_000
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof Unavailable) || performance.now() > deadline) throw error
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }
}

/** A call as the app's own page makes it. */
async function send(request: APIRequestContext, { urls }: AppProcess, { method, path, data, headers }: Call) {
  const own = { origin: urls.app, 'sec-fetch-site': 'same-origin', 'x-csrf': '1' }
  const answer = await request.fetch(path, { method, headers: { ...own, ...headers }, ...(data ? { data } : {}) })
  if (answer.ok()) return answer
  const problem = `${method} ${path} answered ${answer.status()}: ${await answer.text()}`
  throw [503, 504].includes(answer.status()) ? new Unavailable(problem) : new Error(problem)
}

/** A call that may be made twice, as the app's own page makes it. */
export const callAsPage = (...what: Parameters<typeof send>) => untilAvailable(() => send(...what))
