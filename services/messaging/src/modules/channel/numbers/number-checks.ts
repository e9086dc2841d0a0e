import { createHmac } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { type NumberStep, numberSteps } from '@parley/contracts/channel/numbers'
import type { Secret } from '@parley/service-kit/core/secret-box'
import { isNoAccess, isTokenCode } from '../../../whatsapp/error-codes.ts'
import { GraphCallFailed, type GraphRefusal } from '../../../whatsapp/graph-answer.ts'
import { type NumberAccess, type NumberAtWhatsApp, numberCalls } from '../../../whatsapp/number-calls.ts'
import { isRegistered } from './number-facts.ts'
import type { CheckRecord } from './numbers.model.ts'

/** A number whose connection is to be proven. */
export interface CheckTarget extends NumberAccess {
  readonly webhook: { readonly url: string; readonly verifyToken: Secret }
  /** Candidates for the app's secret: one of them has to be it. */
  readonly appSecrets: readonly Secret[]
  readonly pin?: string | undefined
}

/** Findings of the steps besides whether they passed. */
export interface Findings {
  atWhatsApp?: NumberAtWhatsApp
  /** `null`: the token does not end. */
  tokenEndsAt?: Date | null
  /** Code of WhatsApp's refusal of the token. */
  tokenRefused?: number
  /** Set where WhatsApp does not know the number or its account, or does not let the token use it. */
  noAccess?: true
  /** Set where WhatsApp did not answer at all: nothing is known. */
  unreachable?: true
}

/** Thrown by a step without a result. */
class StepFailed extends Error {
  readonly advice: string
  constructor(message: string, advice: string) {
    super(message)
    this.name = 'StepFailed'
    this.advice = advice
  }
}

const scopes = ['whatsapp_business_messaging', 'whatsapp_business_management']
const roundTripMs = 10_000
/** Longer than ingest holds on to secrets that a signature does not fit. */
const secretsAreReadMs = 1200

type Step = (target: CheckTarget, found: Findings) => Promise<string>

const steps: Readonly<Record<NumberStep, Step>> = { token, number, details, subscription, webhook, registration }

const advices: Readonly<Record<NumberStep, string>> = {
  token: 'Make a new access token for the system user in Meta Business Settings and enter it here.',
  number: 'Compare both IDs with WhatsApp Manager, under API Setup. The token must belong to the same account.',
  details: 'Try this step again in a few minutes.',
  subscription: 'Try again. If it happens again, check that Parley can be reached from the internet.',
  webhook: 'Compare the app secret under Settings → API Credentials with the one in your Meta app.',
  registration: 'Enter the number’s two-step verification PIN. In WhatsApp Manager you can set a new one.',
}

/** Tries steps in their order. Without token and number the later ones wait: they could only say the same again. */
export async function runChecks(
  target: CheckTarget,
  wanted: readonly NumberStep[] = numberSteps,
): Promise<{ checks: CheckRecord[]; found: Findings }> {
  const found: Findings = {}
  const checks: CheckRecord[] = []
  for (const step of numberSteps.filter((candidate) => wanted.includes(candidate))) {
    const blocked = checks.some(({ step: earlier, state }) => state !== 'passed' && essential.has(earlier))
    checks.push(blocked ? waiting(step) : await attempt(step, target, found))
  }
  return { checks, found }
}

/** Steps that ask for the number or its account, and for nothing else. */
const isOfNumber = new Set<NumberStep>(['number', 'details'])

/** Steps that all later ones depend on; the others are independent. */
const essential = new Set<NumberStep>(['token', 'number'])

export const waiting = (step: NumberStep): CheckRecord => ({
  step,
  state: 'waiting',
  message: 'Waits for the steps before it.',
  at: new Date(),
})

async function attempt(step: NumberStep, target: CheckTarget, found: Findings): Promise<CheckRecord> {
  const at = new Date()
  try {
    return { step, state: 'passed', message: await steps[step](target, found), at }
  } catch (error) {
    if (error instanceof StepFailed) return failed(step, error.message, error.advice, at)
    if (!(error instanceof GraphCallFailed)) throw error
    if (!error.refusal) {
      found.unreachable = true
      return failed(step, error.message, 'Try again in a few minutes.', at)
    }
    if (isNoAccess(error.refusal) && isOfNumber.has(step)) found.noAccess = true
    if (isTokenCode(error.refusal.code)) {
      found.tokenRefused = error.refusal.code
      return failed(step, withCode(error.refusal), advices.token, at)
    }
    return failed(step, withCode(error.refusal), advices[step], at)
  }
}

/** Meta's words with its code, by which its documentation and support find the refusal. */
const withCode = ({ message, code, subcode }: GraphRefusal): string =>
  `${message} (Meta error ${code}${subcode ? `/${subcode}` : ''})`

const failed = (step: NumberStep, message: string, advice: string, at: Date): CheckRecord => ({
  step,
  state: 'failed',
  message: message.slice(0, 600),
  advice,
  at,
})

async function token(target: CheckTarget, found: Findings): Promise<string> {
  const { isValid, scopes: granted, endsAt, problem } = await numberCalls.inspectToken(target)
  if (!isValid) {
    found.tokenRefused = 190
    throw new StepFailed(problem ?? 'WhatsApp says that the access token is not valid.', advices.token)
  }
  const missing = scopes.filter((scope) => !granted.includes(scope))
  if (missing.length > 0) {
    throw new StepFailed(
      `The access token lacks the permission ${missing.join(' and ')}.`,
      'Make a token with both permissions in Meta Business Settings and enter it here.',
    )
  }
  found.tokenEndsAt = endsAt ?? null
  return endsAt ? `Valid until ${endsAt.toISOString().slice(0, 10)}.` : 'Valid, with no expiry date.'
}

async function number(target: CheckTarget): Promise<string> {
  const ids = await numberCalls.numbersOfAccount(target)
  if (ids.includes(target.phoneNumberId)) return 'The number belongs to the account.'
  throw new StepFailed('The account has no number with this phone number ID.', advices.number)
}

async function details(target: CheckTarget, found: Findings): Promise<string> {
  found.atWhatsApp = await numberCalls.describe(target)
  return `WhatsApp knows it as ${found.atWhatsApp.verified_name ?? found.atWhatsApp.display_phone_number ?? 'a number without a name'}.`
}

async function subscription(target: CheckTarget): Promise<string> {
  await numberCalls.subscribe(target, target.webhook)
  return 'WhatsApp has called the webhook address and got the right answer.'
}

/** A stored secret is the app's, and a body that is signed with it is taken at the address that WhatsApp calls. */
async function webhook(target: CheckTarget): Promise<string> {
  const appSecret = await secretOfApp(target)
  let status = await postSigned(target.webhook.url, appSecret)
  if (status === 401) {
    await wait(secretsAreReadMs)
    status = await postSigned(target.webhook.url, appSecret)
  }
  if (status === 200) return 'A signed webhook was sent to the address and accepted.'
  const how = status === undefined ? 'could not be reached' : `answered ${status}`
  throw new StepFailed(`The webhook address ${how}.`, 'Check that Parley can be reached at its webhook URL.')
}

async function secretOfApp({ appSecrets, ...target }: CheckTarget): Promise<Secret> {
  let refusal: unknown = new StepFailed(
    'No app secret is stored, so WhatsApp’s webhooks cannot be told from forged ones.',
    'Enter the app secret of your Meta app under Settings → API Credentials.',
  )
  for (const secret of appSecrets) {
    try {
      await numberCalls.proveAppSecret(target, secret)
      return secret
    } catch (error) {
      refusal = error
    }
  }
  throw refusal
}

async function postSigned(url: string, appSecret: Secret): Promise<number | undefined> {
  const body = JSON.stringify({ object: 'whatsapp_business_account', entry: [] })
  const signature = createHmac('sha256', appSecret.reveal()).update(body).digest('hex')
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${signature}` },
    body,
    redirect: 'error',
    signal: AbortSignal.timeout(roundTripMs),
  }).catch(() => undefined)
  await answer?.body?.cancel()
  return answer?.status
}

async function registration(target: CheckTarget, found: Findings): Promise<string> {
  found.atWhatsApp ??= await numberCalls.describe(target)
  if (!isRegistered(found.atWhatsApp)) {
    if (target.pin === undefined)
      throw new StepFailed('The number is not registered for the Cloud API.', advices.registration)
    await numberCalls.register(target, target.pin)
    found.atWhatsApp = await numberCalls.describe(target)
  }
  return 'The number is registered.'
}
