import { Router } from 'express'
import { type Answer, formOf, pageUrl, queryOf, send } from './http.ts'
import { mailLink } from './mail-links.ts'
import { chooserPage, loginPage, mailedPage, refusedAtGooglePage, staleSignInPage } from './pages/pages.ts'
import { type Realm, signInLife } from './realm.ts'
import { backToClient, finishSignIn, type OpenSignIn, withSignIn } from './sign-in.ts'
import { forever } from './stores.ts'

interface Person {
  readonly email: string
  readonly emailVerified: boolean
  readonly firstName: string
  readonly lastName: string | null
  readonly picture: string | null
}

/** The made-up people of `deploy/keycloak/realm-google-offline.json`, which plays Google for a real Keycloak. */
const people: readonly Person[] = [
  {
    email: 'gwen@gmail.test',
    emailVerified: true,
    firstName: 'Gwen',
    lastName: 'Stone',
    picture: 'https://lh3.googleusercontent.com/a/parley-offline-gwen=s96-c',
  },
  { email: 'bob@gmail.test', emailVerified: true, firstName: 'Bob', lastName: null, picture: null },
  { email: 'mallory@gmail.test', emailVerified: false, firstName: 'Mallory', lastName: 'Gray', picture: null },
]

/** The page that plays Google, so that the whole flow works without a network. Its answer is no use without the cookie of the sign-in. */
export const googleRoutes = (): Router =>
  Router().get('/accounts', (req, res) => {
    const names = people.map(({ firstName, lastName, email }) => ({ name: `${firstName} ${lastName ?? ''}`, email }))
    send(res, chooserPage(names, pageUrl(queryOf(req)['state'] ?? '', '/google')))
  })

/** The page of a sign-in by which Google's answer opens an account; opened again once the owner of an account has agreed by mail. */
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
