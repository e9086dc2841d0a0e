/**
 * The sign-in path and, where a simulator plays WhatsApp, the inbox under load: `k6 run -e TARGET=… -e OIDC_ISSUER=… -e ADMIN_CLIENT_SECRET=… sign-in.ts`. The variables are in
 * deploy/docs/environment.md.
 */
import { sleep } from 'k6'
import exec from 'k6/execution'
import http from 'k6/http'
import type { Options } from 'k6/options'
import { createApp } from './src/k6/app.ts'
import { createInbox } from './src/k6/inbox.ts'
import { counted, measured } from './src/k6/measured.ts'
import { createProviderAdmin } from './src/k6/provider-admin.ts'
import { readScenarios } from './src/scenarios.ts'
import { readTarget } from './src/target.ts'
import { runOf, type TestAccount } from './src/test-accounts.ts'

const target = readTarget(__ENV, open)
const plan = readScenarios(__ENV)
const runId = __ENV['RUN_ID'] || Math.random().toString(36).slice(2, 10)
const app = createApp(target.app)
const inbox = target.simulator === undefined ? undefined : createInbox(target.app, target.simulator)
const admin = createProviderAdmin(target)

export const options: Options = {
  scenarios: plan.scenarios,
  thresholds: plan.thresholds,
  setupTimeout: '5m',
  teardownTimeout: '5m',
  summaryTrendStats: ['med', 'p(95)', 'p(99)', 'max', 'count'],
  userAgent: 'Parley-k6',
}

/** Seconds after the last journey for renewals that still run and for removing the accounts. */
const slackSeconds = 900

export function setup(): TestAccount[] {
  const notReady = app.notReady()
  if (notReady !== undefined) throw new Error(`The target is not ready, so nothing was loaded. ${notReady}`)
  const discovery = http.get(`${target.issuer}/.well-known/openid-configuration`, { responseType: 'text' })
  if (discovery.status !== 200)
    throw new Error(
      `The identity provider at ${target.issuer} is not ready: it answered ${discovery.status || discovery.error}.`,
    )
  const left = admin.removeAccounts()
  if (left > 0) console.log(`${left} accounts of a run that was cut off were removed.`)
  const endsAt = Math.floor(Date.now() / 1000) + plan.seconds + slackSeconds
  try {
    const accounts = admin.createAccounts({ count: plan.accounts, endsAt, runId })
    for (const account of inbox ? accounts.slice(plan.kept) : []) {
      app.signInByPassword(account)
      inbox?.prepare()
      app.signOut()
    }
    return accounts
  } catch (error) {
    // k6 runs no teardown after a setup that failed.
    admin.removeAccounts(runId)
    throw error
  }
}

export const journey = (accounts: TestAccount[]) => counted(() => visit(accounts))
export const renewal = (accounts: TestAccount[]) => counted(() => stay(accounts))

/** A person's way in, about, and out. Every fifth one signs in on the provider's page. */
function visit(accounts: TestAccount[]): void {
  const { iterationInTest: turn } = exec.scenario
  const account = accountOf(accounts.slice(plan.kept), exec.vu.idInTest)
  const signedIn =
    turn % 5 === 4
      ? measured('code flow', () => app.signInByCode(account))
      : measured('password sign-in', () => app.signInByPassword(account))
  if (!signedIn) return
  let held = signedIn.value
  measured('sync', () => app.sync(account, held))
  measured('GET user', () => app.user(account))
  pause()
  held = measured('session check', () => app.session(account))?.value ?? held
  measured('GET user', () => app.user(account))
  pause()
  measured('profile write', () => app.writeProfile(account, held, `${runId} ${turn}`))
  measured('GET user', () => app.user(account))
  pause()
  if (inbox) talk(inbox, `${runId} ${turn}`)
  measured('sign-out', () => app.signOut())
}

/** A customer writes and is answered. */
function talk({ open, receive, send }: ReturnType<typeof createInbox>, text: string): void {
  const line = measured('inbox', open)
  const conversation = line && measured('message in', () => receive(line.value, text))
  if (!conversation) return
  pause()
  measured('message out', () => send(conversation.value, text))
}

/** The app hands out ID tokens that live longer than this; one that does not is renewed first. */
const renewedBelowSeconds = 90
/** A token with a longer life than this is not waited for. */
const maxWaitSeconds = 280

/** A session that is kept until its token has to be renewed, as a tab that stays open. */
function stay(accounts: TestAccount[]): void {
  const account = accountOf(accounts.slice(0, plan.kept), exec.vu.idInTest)
  const signedIn = measured('password sign-in', () => app.signInByPassword(account))
  if (!signedIn) {
    sleep(1)
    return
  }
  const before = signedIn.value
  const waitSeconds = before.expiresIn - renewedBelowSeconds + 5
  if (waitSeconds > maxWaitSeconds) {
    console.warn(`Tokens live for ${before.expiresIn} s: renewal is not measured.`)
    sleep(plan.seconds)
    return
  }
  sleep(Math.max(0, waitSeconds))
  measured('refresh', () => {
    const after = app.session(account)
    if (after.idToken === before.idToken) throw new Error('The token was not renewed')
  })
  measured('sign-out', () => app.signOut())
}

export function teardown(accounts: TestAccount[]): void {
  console.log(`${admin.removeAccounts(runOf(accounts))} test accounts were removed.`)
}

const accountOf = (accounts: readonly TestAccount[], turn: number): TestAccount => {
  const account = accounts[turn % accounts.length]
  if (!account) throw new Error('There are no accounts')
  return account
}

/** Waits half a second to a second, as people look before they click. */
const pause = () => sleep(0.5 + Math.random() / 2)
