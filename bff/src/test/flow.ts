import { createHash, randomBytes } from 'node:crypto'
import { actionLink } from '@parley/service-kit/testing/provider-browser'
import { newAddress } from './mailbox.ts'
import { type Bff, startBff } from './start-bff.ts'

interface Cookie {
  readonly name: string
  readonly value: string
  readonly path: string
}
type Jar = Map<string, Cookie>

/** A page that the browser has come to; `html` is empty where it was stopped before asking for it. */
export interface Page {
  readonly url: URL
  readonly html: string
}

const plainText = (text: string) => text.replaceAll('&amp;', '&').replaceAll('&quot;', '"').replaceAll('&#39;', "'")
const attribute = (tag: string, name: string) => plainText(new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1] ?? '')

/** A browser on its way through a sign-in: it keeps cookies per host, follows redirects and fills in forms. */
export function createFlowBrowser(bff: Bff) {
  const jars = new Map<string, Jar>()
  const { PUBLIC_ORIGIN } = bff.config
  const app = new URL(PUBLIC_ORIGIN)

  const jarOf = (url: URL): Jar => {
    const jar = jars.get(url.origin) ?? new Map()
    jars.set(url.origin, jar)
    return jar
  }
  /** The app is known by its public origin, and answers on a port of its own here. */
  const reach = (url: URL) => (url.origin === app.origin ? new URL(url.pathname + url.search, bff.url) : url)

  async function request(url: URL, init: RequestInit & { headers?: Record<string, string> } = {}): Promise<Response> {
    const jar = jarOf(url)
    const fitting = [...jar.values()].filter(({ path }) => url.pathname.startsWith(path))
    const cookie = fitting.map(({ name, value }) => `${name}=${value}`).join('; ')
    const response = await fetch(reach(url), {
      ...init,
      redirect: 'manual',
      headers: { ...(cookie && { cookie }), ...init.headers },
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      const path = /;\s*path=([^;]+)/i.exec(line)?.[1] ?? '/'
      if (/Max-Age=0|Expires=Thu, 01 Jan 1970/i.test(line)) jar.delete(`${path} ${name}`)
      else jar.set(`${path} ${name}`, { name, value, path })
    }
    return response
  }

  /** Goes where a response leads, until it is a page or `until` says stop. */
  async function follow(
    url: URL,
    response: Response,
    until: (next: URL) => boolean,
  ): Promise<{ url: URL; response: Response }> {
    const location = response.headers.get('location')
    if (location === null || response.status < 300 || response.status > 399) return { url, response }
    const next = new URL(location, url)
    if (until(next)) return { url: next, response }
    return follow(next, await request(next, { headers: { 'sec-fetch-site': 'cross-site' } }), until)
  }

  const isApp = (path: string) => (next: URL) => next.origin === app.origin && next.pathname === path

  /** Starts as our page does. */
  async function authorize(params: Record<string, string> = {}, headers: Record<string, string> = {}) {
    const verifier = randomBytes(32).toString('base64url')
    const url = new URL('/auth/authorize', PUBLIC_ORIGIN)
    const request_ = {
      response_type: 'code',
      client_id: 'spa',
      redirect_uri: `${PUBLIC_ORIGIN}/auth/handler`,
      state: randomBytes(16).toString('hex'),
      scope: 'openid profile email',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      ...params,
    }
    for (const [name, value] of Object.entries(request_)) if (value) url.searchParams.set(name, value)
    const response = await request(url, { headers: { 'sec-fetch-site': 'same-origin', ...headers } })
    return { url, response, verifier, state: request_.state }
  }

  /** Follows a response to a page of the provider, or to the callback, which is not opened yet. */
  async function pageAfter(url: URL, first: Response): Promise<Page> {
    const end = await follow(url, first, isApp('/auth/callback'))
    return { url: end.url, html: isApp('/auth/callback')(end.url) ? '' : await end.response.text() }
  }

  const visit = async (url: URL): Promise<Page> => pageAfter(url, await request(url))

  /** Sends the form that has the first of the fields, else the page's first form, with its hidden fields. */
  async function submit(page: Page, fields: Record<string, string> = {}): Promise<Page> {
    const forms = page.html.match(/<form\b[\s\S]*?<\/form>/gi) ?? []
    const [first = ''] = Object.keys(fields)
    const form = forms.find((text) => text.includes(`name="${first}"`)) ?? forms[0] ?? ''
    const hidden = (form.match(/<input\b[^>]*type="hidden"[^>]*>/gi) ?? []).map((tag) => [
      attribute(tag, 'name'),
      attribute(tag, 'value'),
    ])
    const target = new URL(attribute(/<form\b[^>]*>/i.exec(form)?.[0] ?? '', 'action') || page.url, page.url)
    const body = new URLSearchParams({ ...Object.fromEntries(hidden), ...fields })
    return pageAfter(target, await request(target, { method: 'POST', body }))
  }

  /** Presses the one thing to press: a button, or the link that Keycloak shows in its place. */
  async function proceed(page: Page): Promise<Page> {
    const link = actionLink({ url: page.url.href, text: page.html })
    return /<form\b/i.test(page.html) || link === undefined ? submit(page) : visit(new URL(link))
  }

  /** Fills in the provider's login form. @returns where the browser is sent: the callback's address. */
  async function logIn(start: { url: URL; response: Response }, fields: Record<string, string>): Promise<URL> {
    const page = await submit(await pageAfter(start.url, start.response), fields)
    if (!isApp('/auth/callback')(page.url))
      throw new Error(`the sign-in stopped at ${page.url.pathname}: ${page.html.slice(0, 300)}`)
    return page.url
  }

  /** Arrives at the callback as a browser does: from another site. @returns the handler's address. */
  async function arrive(callback: URL): Promise<URL> {
    const response = await request(callback, { headers: { 'sec-fetch-site': 'cross-site' } })
    return new URL(response.headers.get('location') ?? '', callback)
  }

  async function redeem(code: string, verifier: string, overrides: Record<string, string> = {}): Promise<Response> {
    return request(new URL('/auth/token', PUBLIC_ORIGIN), {
      method: 'POST',
      headers: { 'sec-fetch-site': 'same-origin', 'x-csrf': '1' },
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        client_id: 'spa',
        code,
        code_verifier: verifier,
        redirect_uri: `${PUBLIC_ORIGIN}/auth/handler`,
        ...overrides,
      }),
    })
  }

  const session = async (): Promise<unknown> =>
    (await request(new URL('/auth/session', PUBLIC_ORIGIN), { headers: { 'sec-fetch-site': 'same-origin' } })).json()

  const signOut = () =>
    request(new URL('/auth/sign-out', PUBLIC_ORIGIN), {
      method: 'POST',
      headers: { 'sec-fetch-site': 'same-origin', 'x-csrf': '1' },
    })

  /** Drops every cookie of a path, as signing out there does. */
  function forgetCookies(path: string): void {
    for (const jar of jars.values()) for (const [key, cookie] of jar) if (cookie.path === path) jar.delete(key)
  }

  const appCookies = () => new Map([...jarOf(app).values()].map(({ name, value }) => [name, value]))

  return {
    request,
    authorize,
    pageAfter,
    visit,
    submit,
    proceed,
    logIn,
    arrive,
    redeem,
    session,
    signOut,
    forgetCookies,
    appCookies,
  }
}

const password = 'correct horse'

/** A BFF for a file of tests, and an account that signs in at the provider there. */
export async function startCodeFlow() {
  const bff = await startBff()
  const email = newAddress('code-flow')
  const signedUp = await bff.browser().signUp(email, password)
  if (signedUp.status !== 201) throw new Error(`sign-up answered ${signedUp.status}`)
  const credentials = { username: email, password }

  /** A browser that has just arrived at the handler, with its code. */
  async function signedIn() {
    const flowBrowser = createFlowBrowser(bff)
    const start = await flowBrowser.authorize()
    const callback = await flowBrowser.logIn(start, credentials)
    const handler = await flowBrowser.arrive(callback)
    return { flowBrowser, start, callback, handler, code: handler.searchParams.get('code') ?? '' }
  }
  return { bff, email, credentials, signedIn }
}
export type CodeFlow = Awaited<ReturnType<typeof startCodeFlow>>
