import { authSessionSchema, tokenResponseSchema } from '@parley/contracts/account/auth'
import { authApi } from '@parley/contracts/account/auth-endpoints'

/** Sends requests as our page does in a browser, and keeps its cookies. */
export function createBrowser(url: string, publicOrigin: string) {
  const jar = new Map<string, string>()
  const nameOf = (pair: string) => pair.split('=')[0] ?? ''
  const cookies = () => [...jar.values()].join('; ')

  async function send(
    method: string,
    path: string,
    options: { body?: string | URLSearchParams | Uint8Array<ArrayBuffer>; headers?: Record<string, string> } = {},
  ) {
    const response = await fetch(`${url}${path}`, {
      method,
      redirect: 'manual',
      body: options.body ?? null,
      headers: {
        origin: publicOrigin,
        'sec-fetch-site': 'same-origin',
        'x-csrf': '1',
        ...(jar.size > 0 && { cookie: cookies() }),
        ...options.headers,
      },
    })
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      if (/Max-Age=0/.test(line)) jar.delete(nameOf(pair))
      else jar.set(nameOf(pair), pair)
    }
    return response
  }

  const postJson = (path: string, body?: unknown) =>
    send(
      'POST',
      path,
      body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } },
    )

  const signIn = (email: string, password: string) =>
    send('POST', '/auth/token', {
      body: new URLSearchParams({
        grant_type: 'password',
        client_id: 'spa',
        username: email,
        password,
        scope: 'openid',
      }),
    })

  return {
    send,
    postJson,
    signIn,
    signUp: (email: string, password: string) => postJson(authApi.signUp.path, { email, password }),
    session: async () => authSessionSchema.parse(await (await send('GET', authApi.session.path)).json()),
    /** The ID token of the live session, as the page would hold it. */
    bearer: async () => {
      const { id_token } = tokenResponseSchema.parse(await (await send('GET', authApi.session.path)).json())
      return { authorization: `Bearer ${id_token}` }
    },
    cookie: cookies,
    setCookie: (value: string) => {
      jar.clear()
      if (value !== '') jar.set(nameOf(value), value)
    },
  }
}
