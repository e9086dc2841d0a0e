import Bowser from 'bowser'
import type { Request } from 'express'
import { LRUCache } from 'lru-cache'
import type { Visitor } from '../session/session-index.ts'

const maxAgentLength = 512
/** Each request asks, and reading a header anew would cost more than all else of a small one. */
const devices = new LRUCache<string, string>({ max: 2000 })

/** Returns a request's sender in readable form: `Firefox on Windows` from `203.0.113.7`. */
export function visitorOf(req: Request): Visitor {
  const agent = (req.get('user-agent') || 'unknown').slice(0, maxAgentLength)
  const known = devices.get(agent)
  const device = known ?? describe(agent)
  if (known === undefined) devices.set(agent, device)
  return { ip: req.ip ?? '', device }
}

function describe(agent: string): string {
  const { browser, os } = Bowser.parse(agent)
  return ([browser.name, os.name].filter(Boolean).join(' on ') || 'Unknown device').slice(0, 128)
}
