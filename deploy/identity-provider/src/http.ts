import type { Request, Response } from 'express'
import { z } from 'zod'

/** An answer in Keycloak's shape, thrown from anywhere below a handler. */
export class HttpError extends Error {
  readonly status: number
  readonly body: unknown
  constructor(status: number, body: unknown) {
    super(`answered ${status}`)
    this.status = status
    this.body = body
  }
}

/** A field sent twice makes the whole of it count as empty. */
const fieldsSchema = z.record(z.string(), z.string()).catch({})

/** The fields of a submitted form. */
export const formOf = (req: Request): Partial<Record<string, string>> => fieldsSchema.parse(req.body)

export const queryOf = (req: Request): Partial<Record<string, string>> => fieldsSchema.parse(req.query)

export const param = (req: Request, name: string): string => String(req.params[name])

/** Address of a sign-in's page. @param page below the sign-in: `/google` */
export const pageUrl = (uid: string, page = ''): string =>
  `/realms/parley/login-actions/authenticate/${encodeURIComponent(uid)}${page}`

/** A page, one with a status of its own, or the address of the next one. */
export type Answer = string | { readonly page: string; readonly status: number } | { readonly next: string }

/** Sends a page, or the browser on. A handler that answers by itself returns undefined. */
export function send(res: Response, answer: Answer | undefined): void {
  if (typeof answer === 'string') res.send(answer)
  else if (answer && 'next' in answer) res.redirect(303, answer.next)
  else if (answer) res.status(answer.status).send(answer.page)
}
