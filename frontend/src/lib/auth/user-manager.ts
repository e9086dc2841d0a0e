import { csrfHeader, facadeClientId } from '@parley/contracts/auth'
import { InMemoryWebStorage, UserManager, WebStorageStateStore } from 'oidc-client-ts'

const origin = window.location.origin

/**
 * The one OIDC client of the page. Its authority is our own origin: the BFF holds the real tokens and answers as a small
 * façade. The ID token stays in memory. The library's own renewal is off (it never retries and undoes a sign-out); its
 * timers lead to `adoptSession` instead.
 */
export const userManager = new UserManager({
  authority: origin,
  client_id: facadeClientId,
  redirect_uri: `${origin}/auth/handler`,
  scope: 'openid profile email',
  metadata: {
    issuer: origin,
    authorization_endpoint: `${origin}/auth/authorize`,
    token_endpoint: `${origin}/auth/token`,
  },
  userStore: new WebStorageStateStore({ store: new InMemoryWebStorage() }),
  extraHeaders: { [csrfHeader]: '1' },
  monitorSession: false,
  loadUserInfo: false,
  automaticSilentRenew: false,
  requestTimeoutInSeconds: 15,
  silentRequestTimeoutInSeconds: 30,
})
