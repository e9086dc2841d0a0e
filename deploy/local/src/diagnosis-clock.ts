import { z } from 'zod'
import type { Check, DiagnosisContext } from './check.ts'
import { askMongodb, directUrl } from './components/mongodb-client.ts'
import { backingUrl } from './environment.ts'

const subject = 'Clock'
/** Tokens of the provider are refused by a clock that differs by more than a minute or so. */
const toleratedMs = 30_000
/** No release of Parley is older; a machine that thinks so has a dead clock battery. */
const earliestYear = 2026

/** Compares this machine's clock with those of the servers that answer: signatures and sessions depend on it. */
export async function checkClock(context: DiagnosisContext): Promise<Check> {
  const now = new Date()
  if (now.getUTCFullYear() < earliestYear || now.getUTCFullYear() > earliestYear + 50)
    return {
      verdict: 'problem',
      subject,
      finding: `this machine says ${now.toISOString()}`,
      remedy: 'Set the clock, for example with: sudo timedatectl set-ntp true',
    }
  const others = { MongoDB: await mongodbTime(context), 'the identity provider': await providerTime(context) }
  for (const [name, time] of Object.entries(others)) {
    if (time === undefined || Math.abs(time - Date.now()) <= toleratedMs) continue
    const finding = `${name} is ${Math.round((time - Date.now()) / 1000)} s away from this machine`
    return { verdict: 'problem', subject, finding, remedy: 'Set both clocks by NTP.' }
  }
  const compared = Object.entries(others).flatMap(([name, time]) => (time === undefined ? [] : [name]))
  const finding = compared.length > 0 ? `agrees with ${compared.join(' and ')}` : `${now.toISOString()}`
  return { verdict: 'ok', subject, finding }
}

async function mongodbTime({ environment, ports }: DiagnosisContext): Promise<number | undefined> {
  const hello = await askMongodb(backingUrl(environment, 'MONGODB_URL') ?? directUrl(ports.mongodb), { hello: 1 })
  return z.object({ localTime: z.date() }).safeParse(hello).data?.localTime.getTime()
}

async function providerTime({ environment, ports }: DiagnosisContext): Promise<number | undefined> {
  const issuer = backingUrl(environment, 'OIDC_ISSUER') ?? `http://127.0.0.1:${ports.identityProvider}/`
  try {
    const response = await fetch(issuer, { signal: AbortSignal.timeout(2000), redirect: 'manual' })
    await response.arrayBuffer()
    const date = Date.parse(response.headers.get('date') ?? '')
    return Number.isNaN(date) ? undefined : date
  } catch {
    return undefined
  }
}
