import { backingUrl, hostOf } from './environment.ts'
import { type Check, errorCode } from './problem.ts'

const timeoutMs = 5000

interface Address {
  readonly subject: string
  readonly variable: string
  /** Something that ingest alone answers in this way, and that changes nothing. */
  readonly path: string
  readonly isOurs: (status: number, text: string) => boolean
  /** Sentence for an installation that has no such address. */
  readonly absent: string
  /** People who open the address. */
  readonly caller: string
}

const addresses: readonly Address[] = [
  {
    subject: 'Hook address',
    variable: 'HOOKS_PUBLIC_URL',
    path: '/hooks/whatsapp/doctor',
    isOurs: (status, text) => status === 403 && text === '',
    absent: 'none is configured: WhatsApp cannot reach this machine, so only numbers of its stand-in receive messages',
    caller: 'WhatsApp',
  },
  {
    subject: 'Link address',
    variable: 'LINKS_PUBLIC_URL',
    path: '/l/doctor',
    isOurs: (status, text) => status === 404 && text.includes('There is no such link.'),
    absent: 'none is configured: counted links open on this machine only',
    caller: "Customers' phones",
  },
]

/**
 * Asks the public addresses of ingest as the outside does: over the internet, following no redirect, with the certificates that
 * everybody trusts.
 * @param timeout milliseconds for which an answer is waited for.
 */
export const checkAddresses = (environment: NodeJS.ProcessEnv, timeout = timeoutMs): Promise<Check[]> =>
  Promise.all(addresses.map((address) => checkAddress(address, backingUrl(environment, address.variable), timeout)))

async function checkAddress(address: Address, origin: string | undefined, timeout: number): Promise<Check> {
  const { subject, variable, path, isOurs, absent, caller } = address
  if (!origin) {
    const remedy = `For a real number: ${variable}=https://… npm start, with an origin that leads to the port of ingest.`
    return { verdict: 'note', subject, finding: absent, remedy }
  }
  const host = hostOf(origin)
  const problem = (finding: string, remedy: string): Check => ({
    verdict: 'problem',
    subject,
    finding: `${host} from ${variable} ${finding}`,
    remedy,
  })
  try {
    const signal = AbortSignal.timeout(timeout)
    const answer = await fetch(new URL(path, origin), { redirect: 'manual', signal })
    const text = await answer.text()
    if (!isOurs(answer.status, text))
      return problem(
        `answers ${answer.status}, which is not Parley's ingest`,
        `Lead ${path.replace('doctor', '…')} at that host to the port of ingest, without a redirect.`,
      )
    if (!origin.startsWith('https:'))
      return problem('is not https', `${caller} must reach it by https, with a certificate that everybody trusts.`)
    return { verdict: 'ok', subject, finding: `${host} leads to ingest` }
  } catch (error) {
    return problem(
      `cannot be reached (${reasonOf(error, timeout)})`,
      `${caller} cannot reach it either, unless this machine alone is kept from it: check DNS, certificate and tunnel.`,
    )
  }
}

/** Names what lies below: fetch itself only says that it failed. */
function reasonOf(error: unknown, timeout: number): string {
  if (error instanceof Error && error.name === 'TimeoutError') return `no answer within ${timeout / 1000} s`
  const cause = error instanceof Error ? error.cause : undefined
  const below = cause instanceof Error ? cause : error
  return errorCode(below) ?? (below instanceof Error ? below.message : String(below))
}
