import { browserOf } from './issued-session.ts'
import { newAddress } from './mailbox.ts'
import { startProviderGate } from './provider-gate.ts'
import { forThisTest } from './running.ts'
import { startBff } from './start-bff.ts'

/** A BFF behind a gate to the provider, with a session whose tokens have just ended. */
export async function endingSession(overrides: Record<string, string> = {}) {
  const gate = await forThisTest(startProviderGate())
  const settings = { ...overrides, OIDC_INTERNAL_ISSUER: gate.url }
  const on = await forThisTest(startBff(settings))
  const email = newAddress()
  const browser = on.browser()
  const signedUp = await browser.signUp(email, 'correct horse')
  if (signedUp.status !== 201) throw new Error(`sign-up answered ${signedUp.status}`)
  const secret = browser.cookie().split('=')[1] ?? ''

  const load = async () => {
    const session = await on.dependencies.store.load(secret)
    if (!session) throw new Error('the session is gone')
    return session
  }
  /** Lets the session's token end that many seconds from now. */
  const end = async (inSeconds: number) => {
    const live = await load()
    const hot = { ...live.hot, tokenExpiresAt: Math.floor(Date.now() / 1000) + inSeconds }
    await on.dependencies.store.replace(live, hot)
  }
  await end(-5)
  gate.grants.length = 0
  return {
    gate,
    on,
    browser,
    email,
    secret,
    load,
    end,
    /** Starts another instance on the same stores, with the same browser. */
    async replica() {
      const other = await forThisTest(startBff(settings))
      return { on: other, browser: browserOf(other, secret) }
    },
  }
}
