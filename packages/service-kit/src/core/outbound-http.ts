import { lookup as lookUp } from 'node:dns/promises'
import type { LookupFunction } from 'node:net'
import type { Readable } from 'node:stream'
import ipaddr from 'ipaddr.js'
import { Agent, request } from 'undici'
import { OutboundError, outboundFailure } from './outbound-error.ts'

const timeoutMs = 10_000
const maxAnswerBytes = 64 * 1024
const maxRequestBytes = 1024 * 1024
/** Maximum connections to one host, which its workspaces share. */
const maxConnections = 32
/** Host agent of Azure's machines: it has a public address, but must not be called. */
const hostAgents = new Set(['168.63.129.16'])

interface OutboundRequest {
  /** `cut` accepts the beginning of a longer answer, and of one that does not end: its status and headers decide. */
  readonly answer?: 'whole' | 'cut'
  readonly url: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly headers?: Record<string, string>
  readonly body?: string | Buffer
  /** Limit of this exchange, in place of that of all. */
  readonly timeoutMs?: number
}

interface OutboundAnswer {
  readonly status: number
  readonly headers: Record<string, string | string[] | undefined>
  readonly body: Buffer
}

/** Returns all addresses of a host name. */
type ResolveName = (hostname: string) => Promise<readonly string[]>

interface OutboundOptions {
  readonly allowLoopback?: boolean
  readonly ownHosts?: readonly string[]
  readonly minPort?: number
  readonly resolve?: ResolveName
  /** Limit of the whole exchange. */
  readonly timeoutMs?: number
  readonly connectTimeoutMs?: number
  readonly maxAnswerBytes?: number
  /**
   * False where each call has a connection of its own: one that is kept may be closed by the server as a request leaves, whose outcome is
   * then unknown. Absent: true.
   */
  readonly keepAlive?: boolean
}

export interface OutboundHttp {
  /**
   * Finds out whether an address would be called, without a connection to it.
   * @throws OutboundError
   */
  readonly check: (url: string) => Promise<void>
  /**
   * Calls an address and reads the answer, whatever its status; a redirect is an answer.
   * @throws OutboundError
   */
  readonly send: (call: OutboundRequest) => Promise<OutboundAnswer>
  /**
   * Reads from an address as it comes, whatever the status; a redirect is an answer. The connection ends with `use`, which bounds how
   * much is read.
   * @throws OutboundError, and what `use` throws.
   */
  readonly receive: <T>(
    call: { readonly url: string; readonly timeoutMs: number },
    use: (answer: Omit<OutboundAnswer, 'body'> & { readonly body: Readable }) => Promise<T>,
  ) => Promise<T>
  readonly close: () => Promise<void>
}

/**
 * HTTP to addresses that people typed (webhooks, media): https only, and never into our own network. A name is resolved once
 * and the connection goes to an address that was checked, so that a second answer of its name server changes nothing.
 * @param options.allowLoopback for development: also http and https to this machine, by `localhost` or a loopback address.
 * @param options.ownHosts names of hosts that are ours, and are not called although they are public.
 * @param options.minPort lowest port that is called beside that of https; absent: any.
 */
export function createOutboundHttp(options: OutboundOptions = {}): OutboundHttp {
  const limits = { timeoutMs, connectTimeoutMs: options.timeoutMs ?? timeoutMs, maxAnswerBytes, ...options }
  const { allowLoopback = false, resolve = resolveByDns } = options
  const lookup: LookupFunction = (hostname, _options, done) => {
    resolve(hostname).then(
      (addresses) => {
        const refused = addresses.find((address) => !isAllowed(address, allowLoopback && hostname === 'localhost'))
        if (addresses.length === 0) done(new OutboundError('unreachable', `${hostname} has no address`), [])
        else if (refused !== undefined) done(refusal(hostname), [])
        else
          done(
            null,
            addresses.map((address) => ({ address, family: ipaddr.parse(address).kind() === 'ipv6' ? 6 : 4 })),
          )
      },
      (error: unknown) =>
        done(new OutboundError('unreachable', `${hostname} cannot be resolved: ${String(error)}`), []),
    )
  }
  const connect = { lookup, timeout: limits.connectTimeoutMs }
  const agent = new Agent({
    connect,
    connections: maxConnections,
    maxHeaderSize: 16 * 1024,
    pipelining: options.keepAlive === false ? 0 : 1,
  })

  function check(url: string): Promise<void> {
    return new Promise((done, refuse) => {
      const { hostname } = checkedUrl(url, options)
      const host = hostname.replace(/^\[|\]$/g, '')
      // The address was checked together with its URL.
      if (ipaddr.isValid(host)) done()
      else lookup(host, { all: true }, (error) => (error ? refuse(error) : done()))
    })
  }

  async function send({ url, method, headers = {}, body, answer: wanted = 'whole', ...call }: OutboundRequest) {
    const target = checkedUrl(url, options)
    if (body !== undefined && Buffer.byteLength(body) > maxRequestBytes) {
      throw new OutboundError('too_large', `the request is larger than ${maxRequestBytes} bytes`)
    }
    const callTimeoutMs = call.timeoutMs ?? limits.timeoutMs
    const signal = AbortSignal.timeout(callTimeoutMs)
    try {
      const answer = await request(target, { dispatcher: agent, method, headers, body: body ?? null, signal })
      const received = await (wanted === 'cut' ? readStart : readUpTo)(limits.maxAnswerBytes, answer.body)
      return { status: answer.statusCode, headers: answer.headers, body: received }
    } catch (error) {
      throw outboundFailure(error, signal, callTimeoutMs)
    }
  }

  const receive: OutboundHttp['receive'] = async (call, use) => {
    const target = checkedUrl(call.url, options)
    const signal = AbortSignal.timeout(call.timeoutMs)
    const answer = await request(target, { dispatcher: agent, method: 'GET', signal }).catch((error: unknown) => {
      throw outboundFailure(error, signal, call.timeoutMs)
    })
    const { statusCode: status, headers, body } = answer
    // Nothing that comes after it was used is of interest, an error of the connection neither.
    body.on('error', () => undefined)
    try {
      return await use({ status, headers, body })
    } catch (error) {
      // A reader that refuses the answer closes it, too, which the stream calls abortion: that is no failure of the connection.
      const isBroken = body.errored !== null && body.errored.name !== 'AbortError'
      throw signal.aborted || isBroken ? outboundFailure(error, signal, call.timeoutMs) : error
    } finally {
      body.destroy()
    }
  }
  return { check, send, receive, close: () => agent.close() }
}

const resolveByDns: ResolveName = async (hostname) =>
  (await lookUp(hostname, { all: true })).map(({ address }) => address)

const refusal = (hostname: string) =>
  new OutboundError('address_refused', `${hostname} is not an address on the public internet`)

/** The parser has turned every spelling of an IPv4 address (decimal, octal, hexadecimal) into the usual one. */
function checkedUrl(text: string, { allowLoopback = false, ownHosts = [], minPort }: OutboundOptions): URL {
  const url = URL.parse(text)
  if (!url) throw new OutboundError('address_refused', 'that is no address')
  if (url.username !== '' || url.password !== '')
    throw new OutboundError('address_refused', 'it names a user or a password')
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const isLiteral = ipaddr.isValid(host)
  const isLoopback = host === 'localhost' || (isLiteral && rangeOf(host) === 'loopback')
  if (url.protocol !== 'https:' && !(allowLoopback && isLoopback && url.protocol === 'http:')) {
    throw new OutboundError('address_refused', 'only https addresses are called')
  }
  if (isLiteral && !isAllowed(host, allowLoopback)) throw refusal(host)
  // A dot at the end leads to the same host.
  if (ownHosts.includes(host.replace(/\.$/, ''))) throw new OutboundError('address_refused', `${host} is Parley itself`)
  if (minPort !== undefined && url.port !== '' && Number(url.port) < minPort) {
    throw new OutboundError('address_refused', `the port must be 443 or at least ${minPort}`)
  }
  return url
}

const rangeOf = (address: string): string => ipaddr.process(address).range()

function isAllowed(address: string, mayBeLoopback: boolean): boolean {
  if (!ipaddr.isValid(address) || hostAgents.has(ipaddr.process(address).toString())) return false
  const range = rangeOf(address)
  return range === 'unicast' || (mayBeLoopback && range === 'loopback')
}

async function readUpTo(limitBytes: number, body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let seenBytes = 0
  for await (const chunk of body) {
    seenBytes += chunk.length
    // Leaving the loop closes the connection.
    if (seenBytes > limitBytes) throw new OutboundError('too_large', `the answer is larger than ${limitBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

async function readStart(limitBytes: number, body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let seenBytes = 0
  try {
    for await (const chunk of body) {
      chunks.push(chunk)
      seenBytes += chunk.length
      if (seenBytes >= limitBytes) break
    }
  } catch {
    // The answer breaks off or takes too long, but its status has arrived.
  }
  return Buffer.concat(chunks).subarray(0, limitBytes)
}
