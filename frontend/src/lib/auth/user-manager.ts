import { authorizePath, csrfHeader, facadeClientId, handlerPath, tokenPath } from '@parley/contracts/account/auth'
import { InMemoryWebStorage, UserManager, WebStorageStateStore } from 'oidc-client-ts'
import { authOrigin, authTimes } from './auth-config.ts'
import { storageWorks } from './browser-storage.ts'

/**
 * The one OIDC client of the page. Its authority is our own origin: the BFF holds the real tokens and answers as a small
 * façade. The ID token stays in memory; storage holds only the state of a sign-in under way, where the handler page finds
 * it. The library's own renewal is off (it never retries and undoes a sign-out); its timers lead to `adoptSession` instead.
 */
export const userManager = new UserManager({
  authority: authOrigin,
  client_id: facadeClientId,
  redirect_uri: authOrigin + handlerPath,
  scope: 'openid profile email',
  metadata: {
    issuer: authOrigin,
    authorization_endpoint: authOrigin + authorizePath,
    token_endpoint: authOrigin + tokenPath,
  },
  userStore: new WebStorageStateStore({ store: new InMemoryWebStorage() }),
  stateStore: new WebStorageStateStore({ store: storageWorks() ? localStorage : new InMemoryWebStorage() }),
  extraHeaders: { [csrfHeader]: '1' },
  monitorSession: false,
  loadUserInfo: false,
  automaticSilentRenew: false,
  requestTimeoutInSeconds: 15,
  silentRequestTimeoutInSeconds: authTimes.frameMs / 1000,
})
