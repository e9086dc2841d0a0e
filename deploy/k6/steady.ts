/**
 * The steady path that `npm run bench:faults` breaks things under: people who stay signed in and save their profile over and
 * over, and others who come and go. Each step is a line of JSON on the console, for whoever compares it with the store.
 */
import { sleep } from 'k6'
import exec from 'k6/execution'
import http from 'k6/http'
import type { Options } from 'k6/options'
import { Unexpected } from './src/k6/answers.ts'
import { createApp, type Held, SignedOut } from './src/k6/app.ts'
import { createProviderAdmin } from './src/k6/provider-admin.ts'
import { readSettings } from './src/settings.ts'
import { addressOf, numberIn, type Outcome, people, type Step, type StepName, visitors } from './src/step.ts'
import { runOf, type TestAccount } from './src/test-accounts.ts'

const settings = readSettings(__ENV, open)
const app = createApp(settings.target)
const admin = createProviderAdmin(settings)

/** Longer than any run: whoever started this one ends it. */
const duration = '2h'

export const options: Options = {
  scenarios: {
    people: { executor: 'constant-vus', exec: 'person', vus: people, duration, gracefulStop: '0s' },
    visitors: {
      executor: 'constant-arrival-rate',
      exec: 'visitor',
      rate: 2,
      timeUnit: '1s',
      preAllocatedVUs: visitors,
      maxVUs: visitors * 5,
      duration,
      gracefulStop: '0s',
    },
  },
  // A person's cookie lives as long as the run.
  noCookiesReset: true,
  setupTimeout: '2m',
}

export function setup(): TestAccount[] {
  const endsAt = Math.floor(Date.now() / 1000) + 7200
  return admin.createAccounts({ count: people + visitors, endsAt, runId: settings.runId })
}

/** Time for whoever watches to note where each stored record begins. */
const beforeFirstWriteSeconds = 10
let held: Held | undefined
let written = 0
/** Which of the accounts is this one's own: their first turns are the first of the scenario. */
let place: number | undefined

export function person(accounts: TestAccount[]): void {
  place ??= exec.scenario.iterationInTest
  const account = accountAt(accounts.slice(0, people), place)
  if (!held) {
    held = step(account, 'sign-in', () => app.signInByPassword(account))
    sleep(written === 0 ? beforeFirstWriteSeconds : 1)
    return
  }
  // Out of step with the others: else all tokens would be renewed in the same moment.
  sleep(0.2 + Math.random() / 5)
  held = step(account, 'session check', () => app.session(account)) ?? held
  step(account, 'user', () => app.user(account), numberIn)
  const [number, current] = [++written, held]
  const log = { at: Date.now(), ms: 0, email: account.email, name: 'write', outcome: 'begun', number } satisfies Step
  console.log(JSON.stringify(log))
  step(
    account,
    'write',
    () => app.writeProfile(account, current, addressOf(number)),
    () => number,
    number,
  )
}

export function visitor(accounts: TestAccount[]): void {
  const account = accountAt(accounts.slice(people), exec.scenario.iterationInTest)
  http.cookieJar().clear(settings.target)
  const session = step(account, 'sign-in', () => app.signInByPassword(account))
  if (session) step(account, 'sign-out', () => app.signOut())
}

/** @param numberOf what of the value goes into the log. */
function step<T>(
  { email }: TestAccount,
  name: StepName,
  work: () => T,
  numberOf?: (value: T) => number,
  attempted?: number,
): T | undefined {
  const at = Date.now()
  const log = (rest: Pick<Step, 'outcome' | 'detail' | 'number'>) =>
    console.log(JSON.stringify({ at, ms: Date.now() - at, email, name, ...rest } satisfies Step))
  try {
    const value = work()
    log({ outcome: 'ok', ...(numberOf && { number: numberOf(value) }) })
    return value
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error)
    log({ outcome: outcomeOf(error), detail, ...(attempted !== undefined && { number: attempted }) })
    return undefined
  }
}

function outcomeOf(error: unknown): Outcome {
  if (error instanceof SignedOut) return 'signed out'
  if (!(error instanceof Unexpected)) return 'wrong'
  return error.status >= 400 && error.status < 500 ? 'refused' : 'error'
}

function accountAt(accounts: readonly TestAccount[], number: number): TestAccount {
  const account = accounts[number % accounts.length]
  if (!account) throw new Error('There are no accounts')
  return account
}

export const handleSummary = () => ({})

export function teardown(accounts: TestAccount[]): void {
  admin.removeAccounts(runOf(accounts))
}
