import type { IncomingMessage, Server, ServerResponse } from 'node:http'

interface Bounds {
  /** Milliseconds for which an answered client may keep sending before its connection is closed. */
  readonly drainMs: number
  /** Milliseconds within which a body must arrive. */
  readonly bodyMs: number
}
const defaults: Bounds = { drainMs: 5000, bodyMs: 30_000 }

const cutOff = new WeakMap<IncomingMessage, NodeJS.Timeout>()

/**
 * Bounds how request bodies arrive at a server. A client that is answered before it has sent everything (413, 401) continues
 * sending, and reads the answer afterwards: what is left is read and thrown away, and the connection is closed where that takes
 * too long. A body that does not arrive in time closes the connection too.
 */
export function boundRequestBodies(server: Server, bounds: Partial<Bounds> = {}): void {
  const { drainMs, bodyMs } = { ...defaults, ...bounds }
  server.prependListener('request', (req: IncomingMessage, res: ServerResponse) => {
    if (!hasBody(req)) return
    cutOff.set(req, closeAfter(req, bodyMs))
    res.once('finish', () => {
      allowLongBody(req)
      if (req.complete) return
      closeAfter(req, drainMs)
      req.unpipe()
      req.resume()
    })
  })
}

/** Leaves the time limit of this request's body to its reader: an upload. */
export const allowLongBody = (req: IncomingMessage): void => clearTimeout(cutOff.get(req))

function closeAfter(req: IncomingMessage, ms: number): NodeJS.Timeout {
  const timer = setTimeout(() => req.complete || req.socket.destroy(), ms)
  req.once('close', () => clearTimeout(timer))
  return timer
}

const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
