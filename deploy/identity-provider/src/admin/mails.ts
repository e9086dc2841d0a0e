import { z } from 'zod'
import { type Call, HttpError, type Reply, readJson } from '../http.ts'
import { mayRedirect } from '../realm-config.ts'
import type { LinkAction } from '../store/action-links.ts'
import type { AdminDeps } from './deps.ts'
import { parseBody } from './representation.ts'
import { findUser } from './users.ts'

const actionsInput = z.array(z.string().max(64)).min(1).max(10)

export const sendVerifyEmail = (call: Call, deps: AdminDeps): Promise<Reply> =>
  sendLink(call, deps, { action: 'VERIFY_EMAIL', failure: 'Failed to send verify email' })

export async function sendActionsEmail(call: Call, deps: AdminDeps): Promise<Reply> {
  const [action, ...others] = parseBody(actionsInput, await readJson(call.req))
  if (others.length > 0 || (action !== 'UPDATE_PASSWORD' && action !== 'VERIFY_EMAIL')) {
    throw new HttpError(400, { errorMessage: 'Provided invalid required actions' })
  }
  return sendLink(call, deps, { action, failure: 'Failed to send execute actions email' })
}

async function sendLink(
  call: Call,
  deps: AdminDeps,
  { action, failure }: { action: LinkAction; failure: string },
): Promise<Reply> {
  const user = findUser(call, deps)
  if (!user.enabled) throw new HttpError(400, { errorMessage: 'User is disabled' })
  const redirectUri = readRedirect(call.url, deps)
  const lifespanSeconds = readLifespan(call.url, deps)
  const key = deps.links.create({ action, userId: user.id, email: user.email, redirectUri }, lifespanSeconds)
  const link = `${deps.issuer}/login-actions/action-token?key=${key}`
  try {
    await deps.sendMail({ to: user.email, action, link, lifespanSeconds })
  } catch (error) {
    deps.logger.warn({ err: error }, 'mail not sent')
    throw new HttpError(500, { errorMessage: failure })
  }
  return { status: 204 }
}

/** Where the page after the action may lead back to: nowhere but to an address of the named client. */
function readRedirect(url: URL, deps: AdminDeps): string | null {
  const clientId = url.searchParams.get('client_id')
  const redirectUri = url.searchParams.get('redirect_uri')
  if (redirectUri !== null && clientId === null) throw new HttpError(400, { errorMessage: 'Client id missing' })
  const client = deps.realm.clients.find((candidate) => candidate.clientId === clientId)
  if (clientId !== null && !client) throw new HttpError(400, { errorMessage: "Client doesn't exist" })
  if (redirectUri !== null && !mayRedirect(client, redirectUri)) {
    throw new HttpError(400, { errorMessage: 'Invalid redirect uri.' })
  }
  return redirectUri
}

function readLifespan(url: URL, deps: AdminDeps): number {
  const seconds = Number(url.searchParams.get('lifespan') ?? deps.realm.actionLinkLifespan)
  if (!Number.isSafeInteger(seconds) || seconds < 1 || seconds > 30 * 86_400) {
    throw new HttpError(400, { error: 'HTTP 400 Bad Request' })
  }
  return seconds
}
