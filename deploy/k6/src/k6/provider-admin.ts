import http from 'k6/http'
import type { Target } from '../target.ts'
import { accountEmail, accountSearch, isToRemove, type TestAccount } from '../test-accounts.ts'
import { type Answer, expectStatus, textField } from './answers.ts'

type Admin = Pick<Target, 'adminIssuer' | 'adminClientId' | 'adminClientSecret'>

const atOnce = 10
const pageSize = 100
const maxPages = 100
/** Keycloak's admin tokens live for five minutes, and many accounts take longer. */
const tokenUseMs = 60_000

/** Accounts of a run, made and removed by the provider's Admin REST interface, which Keycloak and the local stand-in share. */
export function createProviderAdmin({ adminIssuer: issuer, adminClientId, adminClientSecret }: Admin) {
  const users = `${issuer.replace('/realms/', '/admin/realms/')}/users`
  let token: { readonly text: string; readonly until: number } | undefined

  const params = (name: string) => ({
    responseType: 'text' as const,
    headers: { authorization: `Bearer ${currentToken()}`, 'content-type': 'application/json' },
    tags: { name: `admin ${name}` },
    timeout: '60s',
  })

  function currentToken(): string {
    if (token && Date.now() < token.until) return token.text
    const form = { grant_type: 'client_credentials', client_id: adminClientId, client_secret: adminClientSecret }
    const answer = http.post(`${issuer}/protocol/openid-connect/token`, form, {
      responseType: 'text',
      tags: { name: 'admin token' },
    })
    const what = `The token endpoint of ${issuer}, asked as the client ${adminClientId},`
    token = { text: textField(expectStatus(answer, 200, what), 'access_token'), until: Date.now() + tokenUseMs }
    return token.text
  }

  /** @throws where one cannot be made. */
  function createAccounts(plan: { count: number; endsAt: number; runId: string }): TestAccount[] {
    const accounts = Array.from({ length: plan.count }, (_, number) => ({
      email: accountEmail({ ...plan, number }),
      password: `p-${Math.random().toString(36).slice(2)}-${number}`,
    }))
    for (const some of chunks(accounts)) {
      const asked = some.map((account) => ({
        method: 'POST',
        url: users,
        body: JSON.stringify(representation(account)),
        params: params('create user'),
      }))
      for (const answer of http.batch(asked)) expectStatus(answer, 201, 'Making an account at the provider')
    }
    return accounts
  }

  /** Removes the accounts of a run; without one, those of earlier runs that were cut off. @returns how many. */
  function removeAccounts(runId?: string): number {
    const now = Math.floor(Date.now() / 1000)
    const ids = listLoadUsers().flatMap(({ id, email }) => (isToRemove(email, { runId, now }) ? [id] : []))
    for (const some of chunks(ids)) {
      const asked = some.map((id) => ({ method: 'DELETE', url: `${users}/${id}`, params: params('remove user') }))
      // An account that is gone already counts as deleted.
      for (const answer of http.batch(asked))
        if (answer.status !== 404) expectStatus(answer, 204, 'Removing an account')
    }
    return ids.length
  }

  function listLoadUsers() {
    const found: { id: string; email: string }[] = []
    for (let page = 0; page < maxPages; page++) {
      const query = `search=${accountSearch}&first=${page * pageSize}&max=${pageSize}&briefRepresentation=true`
      const answer = http.get(`${users}?${query}`, params('list users'))
      const listed = usersOf(expectStatus(answer, 200, 'Listing the accounts at the provider'))
      found.push(...listed)
      if (listed.length < pageSize) break
    }
    return found
  }

  return { createAccounts, removeAccounts }
}

const representation = ({ email, password }: TestAccount) => ({
  username: email,
  email,
  emailVerified: true,
  enabled: true,
  credentials: [{ type: 'password', value: password, temporary: false }],
})

function usersOf(answer: Answer): { id: string; email: string }[] {
  const list = answer.json()
  if (!Array.isArray(list)) throw new Error('The provider did not list its accounts.')
  return list.flatMap((user) => {
    const { id, email } = Object(user)
    return typeof id === 'string' && typeof email === 'string' ? [{ id, email }] : []
  })
}

const chunks = <T>(list: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(list.length / atOnce) }, (_, at) => list.slice(at * atOnce, (at + 1) * atOnce))
