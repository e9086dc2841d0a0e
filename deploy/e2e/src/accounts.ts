import { sampleDataApi } from '@parley/contracts/platform/sample-data'
import { useMailLink } from '@parley/service-kit/testing/provider-browser'
import { type APIRequestContext, expect } from '@playwright/test'
import { z } from 'zod'
import type { AppProcess } from './app-process.ts'
import { linkFrom } from './mail.ts'
import { until } from './until.ts'

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
  return until('an answer of sign-up', async () => {
    // Another one each time: what was answered so may have been done.
    const account = { email: newEmail(), password }
    const answer = await send(request, app, { method: 'POST', path: '/auth/sign-up', data: account })
    return answer && account
  })
}

/** Follows the newest verification mail; resolves once the session knows of it. */
export async function verifyByHttp(request: APIRequestContext, app: AppProcess, account: Account): Promise<void> {
  await useMailLink(await linkFrom(app.urls.mail, account.email, 'Verify email'))
  await untilVerified(request, app, account)
}

/** Resolves once the session knows that its address is verified. */
export async function untilVerified(request: APIRequestContext, app: AppProcess, { email }: Account): Promise<void> {
  await until(`${email} verified`, async () => {
    const answer = await callAsPage(request, app, { method: 'POST', path: '/auth/reload' })
    return z.object({ emailVerified: z.boolean() }).parse(await answer.json()).emailVerified || undefined
  })
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

/**
 * A call as the app's own page makes it.
 * @returns undefined for 503 and 504, which say to ask again shortly: on a machine that stood still for a moment, for instance.
 */
async function send(request: APIRequestContext, { urls }: AppProcess, { method, path, data, headers }: Call) {
  const sameOriginHeaders = { origin: urls.app, 'sec-fetch-site': 'same-origin', 'x-csrf': '1' }
  const answer = await request.fetch(path, {
    method,
    headers: { ...sameOriginHeaders, ...headers },
    ...(data ? { data } : {}),
  })
  if (answer.ok()) return answer
  if ([503, 504].includes(answer.status())) return undefined
  throw new Error(`${method} ${path} answered ${answer.status()}: ${await answer.text()}`)
}

/** A call that may be made twice, as the app's own page makes it. */
export const callAsPage = (...what: Parameters<typeof send>) =>
  until(`an answer of ${what[2].path}`, () => send(...what))

/** Resolves once the sample data is gone: what takes longer than a few seconds is answered before. */
export async function clearSampleData(request: APIRequestContext, app: AppProcess): Promise<void> {
  await expect(async () => {
    const answer = await callAsPage(request, app, { method: 'DELETE', path: sampleDataApi.clear.path })
    expect(['cleared', 'none']).toContain(sampleDataApi.clear.response.parse(await answer.json()).state)
  }).toPass({ timeout: 120_000 })
}
