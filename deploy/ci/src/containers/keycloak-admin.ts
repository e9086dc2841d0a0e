import { z } from 'zod'
import { handed, secretsOfStack } from './stack.ts'

const keycloak = `http://127.0.0.1:${handed.KEYCLOAK_PORT}`
const tokenSchema = z.object({ access_token: z.string() })

/** Asks the Admin REST interface of the stack's Keycloak as its administrator. @throws with the answer where it refuses. */
export async function askKeycloak(method: string, path: string, body?: unknown): Promise<unknown> {
  const { keycloakAdmin: password = '' } = await secretsOfStack()
  const form = { grant_type: 'password', client_id: 'admin-cli', username: 'admin', password }
  const tokens = await answerOf(
    await fetch(`${keycloak}/realms/master/protocol/openid-connect/token`, {
      method: 'POST',
      body: new URLSearchParams(form),
    }),
  )
  const { access_token: token } = tokenSchema.parse(tokens)
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const content = body === undefined ? null : JSON.stringify(body)
  return answerOf(await fetch(`${keycloak}/admin/realms/parley${path}`, { method, headers, body: content }))
}

async function answerOf(answer: Response): Promise<unknown> {
  const text = await answer.text()
  if (!answer.ok) throw new Error(`Keycloak answered ${answer.status}: ${text}`)
  return text === '' ? undefined : JSON.parse(text)
}

/** Returns the token endpoint's status for a client that identifies itself and no user: 401 where its secret is wrong. */
export async function statusOfClient(clientId: string, secret: string): Promise<number> {
  const form = { grant_type: 'refresh_token', refresh_token: 'none', client_id: clientId, client_secret: secret }
  const url = `${keycloak}/realms/parley/protocol/openid-connect/token`
  return (await fetch(url, { method: 'POST', body: new URLSearchParams(form) })).status
}
