import { request } from 'node:http'
import { text } from 'node:stream/consumers'

export interface RawAnswer {
  readonly status: number
  readonly location: string | undefined
  readonly cookies: readonly string[]
  readonly body: string
}

/** Sends exactly what it is given, which `fetch` would tidy up or refuse. */
export const rawRequest = (
  base: string,
  {
    method = 'GET',
    path,
    headers = {},
    body = '',
  }: { method?: string; path: string; headers?: Record<string, string>; body?: string },
) =>
  new Promise<RawAnswer>((resolve, reject) => {
    const { hostname, port } = new URL(base)
    const call = request({ hostname, port, path, method, headers }, async (response) => {
      const { location, 'set-cookie': cookies = [] } = response.headers
      resolve({ status: response.statusCode ?? 0, location, cookies, body: await text(response) })
    })
    call.on('error', reject).end(body)
  })
