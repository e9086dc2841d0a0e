import { readFileSync } from 'node:fs'
import { Router } from 'express'
import { z } from 'zod'
import { type Answer, formOf, pageUrl, queryOf, send } from './http.ts'
import { mailLink } from './mail-links.ts'
import { chooserPage, loginPage, mailedPage, refusedAtGooglePage, staleSignInPage } from './pages/pages.ts'
import { type Realm, signInLife } from './realm.ts'
import { backToClient, finishSignIn, type OpenSignIn, withSignIn } from './sign-in.ts'
import { forever } from './stores.ts'

const userSchema = z.object({
  email: z.string(),
  emailVerified: z.boolean(),
  firstName: z.string(),
  lastName: z.string().nullable().default(null),
  attributes: z.object({ picture: z.array(z.string()) }).default({ picture: [] }),
})

/** The made-up people of the realm that plays Google for a real Keycloak. */
const realmFile = new URL('../../keycloak/realm-google-offline.json', import.meta.url)
const people = z
  .object({ users: z.array(userSchema) })
  .parse(JSON.parse(readFileSync(realmFile, 'utf8')))
  .users.map(({ attributes, ...person }) => ({ ...person, picture: attributes.picture[0] ?? null }))

/** The page that plays Google. Its answer is no use without the cookie of the sign-in. */
export const googleRoutes = (): Router =>
  Router().get('/accounts', (req, res) => {
    const names = people.map(({ firstName, lastName, email }) => ({ name: `${firstName} ${lastName ?? ''}`, email }))
    send(res, chooserPage(names, pageUrl(queryOf(req)['state'] ?? '', '/google')))
  })

/** The page of a sign-in to which Google's answer goes, and which opens again once an account's owner has agreed by mail. */
export const googleReturnRoutes = (realm: Realm): Router => Router().all('/:uid/google', withSignIn(realm, comeBack))

async function comeBack(signIn: OpenSignIn, realm: Realm): Promise<Answer | undefined> {
  const { uid, req, params } = signIn
  const isAnswer = req.method === 'POST'
  const email = isAnswer ? formOf(req)['username'] : realm.waitingLinks.find(uid)?.email
  const person = people.find((one) => one.email === email)
  if (!person && !isAnswer) return staleSignInPage
  if (!person) {
    const description = 'The sign-in with Google was cancelled.'
    // A person sent straight to Google goes back to the client; one who came from our page returns to it.
    if (params['kc_idp_hint'] !== 'google') return loginPage(pageUrl(uid), '', description)
    return backToClient(realm, signIn, { error: 'access_denied', error_description: description })
  }
  const owner = realm.users.find(realm.identities.find(person.email)?.userId ?? '')
  if (owner) return owner.enabled ? finishSignIn(realm, signIn, owner, true) : refusedAtGooglePage(person.email)
  const existing = realm.users.findByEmail(person.email)
  if (!existing) {
    const user = realm.users.create({ ...person, enabled: true, password: null })
    realm.identities.put(person.email, { userId: user.id }, forever, user.id)
    return finishSignIn(realm, signIn, user, true)
  }
  if (!person.emailVerified || !existing.enabled) return refusedAtGooglePage(person.email)
  // An address alone opens no account: its owner is asked by mail.
  if (!isAnswer) return mailedPage(person.email)
  realm.waitingLinks.put(uid, { email: person.email }, signInLife)
  const isSent = await mailLink(realm, existing, { action: 'LINK_ACCOUNT', uid, lifeSeconds: 900 })
  return isSent ? { next: pageUrl(uid, '/google') } : backToClient(realm, signIn, { error: 'server_error' })
}
