import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import type { Request, RequestHandler, Response } from 'express'
import { z } from 'zod'

/** Answer of a handler: a page where `body` is a string, else JSON. */
export interface Reply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** A handler that answers by itself returns undefined. */
export type Handler = (req: Request, res: Response) => Promise<Reply | undefined> | Reply | undefined

export function send(res: Response, { status, headers = {}, body }: Reply): void {
  res.status(status).set(headers)
  if (body === undefined) res.end()
  else res.send(body)
}

/** A handler as Express takes it. */
export const answer =
  (handle: Handler): RequestHandler =>
  async (req, res) => {
    const reply = await handle(req, res)
    if (reply) send(res, reply)
  }

export const redirect = (location: string): Reply => ({ status: 303, headers: { Location: location } })

/** An answer in Keycloak's words, thrown from anywhere below a handler. */
export class HttpError extends Error {
  readonly reply: Reply
  constructor(status: number, body: unknown) {
    super(`answered ${status}`)
    this.reply = { status, body }
  }
}

/** A field sent twice makes the whole of it count as empty. */
const fieldsSchema = z.record(z.string(), z.string()).catch({})

/** The fields of a submitted form. */
export const formOf = (req: Request): Partial<Record<string, string>> => fieldsSchema.parse(req.body)

export const queryOf = (req: Request): Partial<Record<string, string>> => fieldsSchema.parse(req.query)

export const param = (req: Request, name: string): string => String(req.params[name])

/** The client's address as the caller forwards it, else the caller's own. */
export function clientIp({ headers, socket }: IncomingMessage): string {
  const first =
    String(headers['x-forwarded-for'] ?? '')
      .split(',')[0]
      ?.trim() ?? ''
  return isIP(first) ? first : (socket.remoteAddress ?? '')
}

/** The token of an `Authorization: Bearer` header. */
export const bearerToken = (req: Request): string | undefined =>
  /^Bearer ([\w.~+/-]+=*)$/i.exec(req.headers.authorization ?? '')?.[1]
